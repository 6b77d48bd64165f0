extension Publisher {
    /// Passes values until one is refused, and ends there.
    @inlinable
    public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `prefix` returns.
    public struct PrefixWhile<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let predicate: (Upstream.Output) -> Bool

        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            upstream.subscribe(ValueStepStage(Step(predicate: predicate), downstream: AnySubscriber(subscriber)))
        }

        @usableFromInline
        struct Step: ValueStep {
            @usableFromInline
            typealias UpstreamFailure = Upstream.Failure
            @usableFromInline
            typealias Failure = Upstream.Failure

            @usableFromInline let predicate: (Upstream.Output) -> Bool

            @inlinable
            init(predicate: @escaping (Upstream.Output) -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            static var name: String { "PrefixWhile" }

            @inlinable
            func step(_ input: Upstream.Output) -> StepResult<Output, Failure> {
                predicate(input) ? .pass(input) : .finish
            }
        }
    }
}
