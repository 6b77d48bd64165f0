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
            let step = PrefixWhileStep<Upstream, Failure>("PrefixWhile", predicate: predicate)
            upstream.subscribe(ValueStepStage(step, downstream: AnySubscriber(subscriber)))
        }
    }
}

/// What `prefix(while:)` and its form that may throw do with each value.
@usableFromInline
struct PrefixWhileStep<Upstream: Publisher, Failure: Error>: ValueStep {
    @usableFromInline let name: String
    @usableFromInline let predicate: (Upstream.Output) throws(Failure) -> Bool

    @inlinable
    init(_ name: String, predicate: @escaping (Upstream.Output) throws(Failure) -> Bool) {
        self.name = name
        self.predicate = predicate
    }

    @inlinable
    static var mayEnd: Bool { true }

    @inlinable
    func step(_ input: Upstream.Output) throws(Failure) -> StepResult<Upstream.Output> {
        try predicate(input) ? .pass(input) : .finish
    }
}
