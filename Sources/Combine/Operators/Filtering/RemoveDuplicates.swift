extension Publisher {
    /// Leaves out each value that equals the one before it, by the closure's standard.
    @inlinable
    public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool) -> Publishers.RemoveDuplicates<Self>
    {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `removeDuplicates` returns.
    public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let predicate: (Upstream.Output, Upstream.Output) -> Bool

        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            let step = RemoveDuplicatesStep<Upstream, Failure>("RemoveDuplicates", predicate: predicate)
            upstream.subscribe(ValueStepStage(step, downstream: AnySubscriber(subscriber)))
        }
    }
}

extension Publisher where Output: Equatable {
    /// Leaves out each value that equals the one before it.
    @inlinable
    public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
        removeDuplicates(by: ==)
    }
}

/// What `removeDuplicates(by:)` and its form that may throw do with each value.
@usableFromInline
final class RemoveDuplicatesStep<Upstream: Publisher, Failure: Error>: ValueStep {
    @usableFromInline let name: String
    @usableFromInline let predicate: (Upstream.Output, Upstream.Output) throws(Failure) -> Bool
    // Values come one after the other, so that this needs no lock.
    @usableFromInline var last: Upstream.Output?

    @inlinable
    init(_ name: String, predicate: @escaping (Upstream.Output, Upstream.Output) throws(Failure) -> Bool) {
        self.name = name
        self.predicate = predicate
    }

    @inlinable
    func children(status: String) -> [Mirror.Child] { [("last", last as Any)] }

    @inlinable
    func step(_ input: Upstream.Output) throws(Failure) -> StepResult<Upstream.Output> {
        defer { last = input }
        if let last, try predicate(last, input) { return .skip }
        return .pass(input)
    }
}
