extension Publisher where Output: Comparable {
    /// Sends the least value at the end.
    public func min() -> Publishers.Comparison<Self> { max(by: >) }

    /// Sends the greatest value at the end.
    public func max() -> Publishers.Comparison<Self> { max(by: <) }
}

extension Publisher {
    /// Sends the least value at the end, in the order that the closure gives.
    public func min(
        by areInIncreasingOrder: @escaping (Output, Output) -> Bool
    ) -> Publishers.Comparison<Self> {
        .init(upstream: self) { areInIncreasingOrder($1, $0) }
    }

    /// Sends the greatest value at the end, in the order that the closure gives.
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

        public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.areInIncreasingOrder = areInIncreasingOrder
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            upstream.subscribe(FoldStage(Step(areInIncreasingOrder: areInIncreasingOrder), downstream: subscriber))
        }

        private struct Step: Fold {
            typealias UpstreamFailure = Upstream.Failure
            typealias Failure = Upstream.Failure

            let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool
            var result: Upstream.Output?

            static var name: String { "Comparison" }

            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                if let result, !areInIncreasingOrder(result, input) { return .goOn }
                result = input
                return .goOn
            }
        }
    }
}
