extension Publisher {
    /// Sends what the closure makes of its last result and each value, and fails with what it throws.
    @inlinable
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

        @inlinable
        public init(
            upstream: Upstream, initialResult: Output,
            nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
        ) {
            self.upstream = upstream
            self.initialResult = initialResult
            self.nextPartialResult = nextPartialResult
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, S.Failure == any Error {
            let step = Step(nextPartialResult: nextPartialResult, result: initialResult)
            upstream.subscribe(ValueStepStage(step, downstream: AnySubscriber(subscriber)))
        }

        @usableFromInline
        final class Step: ValueStep {
            @usableFromInline let nextPartialResult: (Output, Upstream.Output) throws -> Output
            // Values come one after the other, so that this needs no lock.
            @usableFromInline var result: Output

            @inlinable
            init(nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output, result: Output) {
                self.nextPartialResult = nextPartialResult
                self.result = result
            }

            @inlinable
            var name: String { "TryScan" }

            @inlinable
            static var isFilter: Bool { false }

            @inlinable
            static var passesAlways: Bool { true }

            @inlinable
            func children(status: String) -> [Mirror.Child] { [("status", status), ("result", result)] }

            @inlinable
            func step(_ input: Upstream.Output) throws -> StepResult<Output> {
                result = try nextPartialResult(result, input)
                return .pass(result)
            }
        }
    }
}
