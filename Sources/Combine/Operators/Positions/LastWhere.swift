extension Publisher {
    /// Sends the last value that the closure accepts.
    @inlinable
    public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `lastWhere` is.
    public struct LastWhere<Upstream: Publisher>: Publisher {
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
        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            let step = LastWhereStep<Upstream, Failure>("LastWhere", predicate: predicate)
            upstream.subscribe(FoldStage(step, downstream: AnySubscriber(subscriber)))
        }
    }
}

/// What `last(where:)` and its form that may throw do with each value.
@usableFromInline
struct LastWhereStep<Upstream: Publisher, Failure: Error>: Fold {
    @usableFromInline let name: String
    @usableFromInline let predicate: (Upstream.Output) throws(Failure) -> Bool
    @usableFromInline var result: Upstream.Output?

    @inlinable
    init(_ name: String, predicate: @escaping (Upstream.Output) throws(Failure) -> Bool) {
        self.name = name
        self.predicate = predicate
    }

    @inlinable
    mutating func fold(_ input: Upstream.Output) throws(Failure) -> Folded {
        if try predicate(input) { result = input }
        return .goOn
    }
}
