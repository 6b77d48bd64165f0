extension Publisher where Output: Comparable {
    /// Sends the least value at the end.
    @inlinable
    public func min() -> Publishers.Comparison<Self> { max(by: >) }

    /// Sends the greatest value at the end.
    @inlinable
    public func max() -> Publishers.Comparison<Self> { max(by: <) }
}

extension Publisher {
    /// Sends the least value at the end, in the order that the closure gives.
    @inlinable
    public func min(
        by areInIncreasingOrder: @escaping (Output, Output) -> Bool
    ) -> Publishers.Comparison<Self> {
        .init(upstream: self) { areInIncreasingOrder($1, $0) }
    }

    /// Sends the greatest value at the end, in the order that the closure gives.
    @inlinable
    public func max(
        by areInIncreasingOrder: @escaping (Output, Output) -> Bool
    ) -> Publishers.Comparison<Self> {
        .init(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
    }
}

extension Publishers {
    /// What `comparison` is.
    public struct Comparison<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

        @inlinable
        public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.areInIncreasingOrder = areInIncreasingOrder
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            upstream.subscribe(
                FoldStage(Step(areInIncreasingOrder: areInIncreasingOrder), downstream: AnySubscriber(subscriber)))
        }

        @usableFromInline
        struct Step: Fold {
            @usableFromInline
            typealias UpstreamFailure = Upstream.Failure
            @usableFromInline
            typealias Failure = Upstream.Failure

            @usableFromInline let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool
            @usableFromInline var result: Upstream.Output?

            @inlinable
            init(areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
                self.areInIncreasingOrder = areInIncreasingOrder
            }

            @inlinable
            static var name: String { "Comparison" }

            @inlinable
            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                if let result, !areInIncreasingOrder(result, input) { return .goOn }
                result = input
                return .goOn
            }
        }
    }
}
