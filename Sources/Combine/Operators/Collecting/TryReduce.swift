extension Publisher {
    /// Makes one value of all, sends it at the end, and fails with what the closure throws.
    public func tryReduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
    ) -> Publishers.TryReduce<Self, T> {
        .init(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }
}

extension Publishers {
    /// What `tryReduce` is.
    public struct TryReduce<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = any Error

        public let upstream: Upstream
        public let initial: Output
        public let nextPartialResult: (Output, Upstream.Output) throws -> Output

        public init(
            upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
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
            typealias Failure = any Error

            let initial: Output
            let nextPartialResult: (Output, Upstream.Output) throws -> Output
            var partial: Output?

            static var name: String { "TryReduce" }

            var result: Output? { partial ?? initial }

            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                Folded {
                    partial = try nextPartialResult(partial ?? initial, input)
                    return .goOn
                }
            }
        }
    }
}
