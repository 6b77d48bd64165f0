extension Publisher {
    /// Makes one value of all, and sends it at the end.
    public func reduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
    ) -> Publishers.Reduce<Self, T> {
        .init(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }
}

extension Publishers {
    /// What `reduce` is.
    public struct Reduce<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let initial: Output
        public let nextPartialResult: (Output, Upstream.Output) -> Output

        public init(
            upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
        ) {
            self.upstream = upstream
            self.initial = initial
            self.nextPartialResult = nextPartialResult
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            upstream.subscribe(
                FoldStage(Step(initial: initial, nextPartialResult: nextPartialResult), downstream: subscriber))
        }

        private struct Step: Fold {
            typealias UpstreamFailure = Upstream.Failure
            typealias Failure = Upstream.Failure

            let initial: Output
            let nextPartialResult: (Output, Upstream.Output) -> Output
            var partial: Output?

            static var name: String { "Reduce" }

            var result: Output? { partial ?? initial }

            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                partial = nextPartialResult(partial ?? initial, input)
                return .goOn
            }
        }
    }
}
