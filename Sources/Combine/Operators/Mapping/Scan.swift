extension Publisher {
    /// Sends what the closure makes of its last result and each value.
    @inlinable
    public func scan<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
    ) -> Publishers.Scan<Self, T> {
        .init(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }
}

extension Publishers {
    /// What `scan` returns.
    public struct Scan<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let initialResult: Output
        public let nextPartialResult: (Output, Upstream.Output) -> Output

        @inlinable
        public init(
            upstream: Upstream, initialResult: Output,
            nextPartialResult: @escaping (Output, Upstream.Output) -> Output
        ) {
            self.upstream = upstream
            self.initialResult = initialResult
            self.nextPartialResult = nextPartialResult
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Upstream.Failure == S.Failure {
            upstream.subscribe(
                Inner(
                    downstream: AnySubscriber(subscriber), result: initialResult, nextPartialResult: nextPartialResult))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: PassThrough
        where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let nextPartialResult: (Output, Upstream.Output) -> Output
            // Values come one after the other, so that this needs no lock.
            @usableFromInline var result: Output

            @inlinable
            init(
                downstream: Downstream, result: Output,
                nextPartialResult: @escaping (Output, Upstream.Output) -> Output
            ) {
                self.downstream = downstream
                self.result = result
                self.nextPartialResult = nextPartialResult
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let next = nextPartialResult(result, input)
                result = next
                return downstream.receive(next)
            }

            @usableFromInline
            var description: String { "Scan" }

            @usableFromInline
            var mirrorChildren: [Mirror.Child] { [("downstream", downstream), ("result", result)] }
        }
    }
}
