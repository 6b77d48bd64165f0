extension Publisher {
    /// Sends what the closure makes of its last result and each value, and fails with what it throws.
    public func tryScan<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
    ) -> Publishers.TryScan<Self, T> {
        .init(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }
}

extension Publishers {
    /// What `tryScan` returns.
    public struct TryScan<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = any Error

        public let upstream: Upstream
        public let initialResult: Output
        public let nextPartialResult: (Output, Upstream.Output) throws -> Output

        public init(
            upstream: Upstream, initialResult: Output,
            nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
        ) {
            self.upstream = upstream
            self.initialResult = initialResult
            self.nextPartialResult = nextPartialResult
        }

        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, S.Failure == any Error {
            let step = Step(nextPartialResult: nextPartialResult, result: initialResult)
            upstream.subscribe(SieveStage(step, downstream: subscriber))
        }

        private struct Step: Sieve {
            typealias Failure = any Error
            typealias UpstreamFailure = Upstream.Failure

            let nextPartialResult: (Output, Upstream.Output) throws -> Output
            var result: Output

            static var name: String { "TryScan" }

            var children: [Mirror.Child] { [("result", result)] }

            mutating func sift(_ input: Upstream.Output) -> Sifted<Output, any Error> {
                Sifted {
                    result = try nextPartialResult(result, input)
                    return .pass(result)
                }
            }
        }
    }
}
