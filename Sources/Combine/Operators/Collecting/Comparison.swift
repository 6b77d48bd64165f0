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
            let step = ComparisonStep<Upstream, Failure>("Comparison", areInIncreasingOrder: areInIncreasingOrder)
            upstream.subscribe(FoldStage(step, downstream: AnySubscriber(subscriber)))
        }
    }
}

/// What `max(by:)` and its form that may throw do with each value.
@usableFromInline
struct ComparisonStep<Upstream: Publisher, Failure: Error>: Fold {
    @usableFromInline let name: String
    @usableFromInline let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws(Failure) -> Bool
    @usableFromInline var result: Upstream.Output?

    @inlinable
    init(
        _ name: String, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws(Failure) -> Bool
    ) {
        self.name = name
        self.areInIncreasingOrder = areInIncreasingOrder
    }

    @inlinable
    mutating func fold(_ input: Upstream.Output) throws(Failure) -> Folded {
        if let result, try !areInIncreasingOrder(result, input) { return .goOn }
        result = input
        return .goOn
    }
}
