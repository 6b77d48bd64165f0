extension Publisher {
    /// Sends whether the closure accepts a value, as soon as that is known.
    @inlinable
    public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `containsWhere` is.
    public struct ContainsWhere<Upstream: Publisher>: Publisher {
        public typealias Output = Bool
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
            upstream.subscribe(
                FoldStage(
                    ContainsWhereStep<Upstream, Failure>("ContainsWhere", predicate: predicate),
                    downstream: AnySubscriber(subscriber)))
        }
    }
}

/// What `contains(where:)` and its twin that may throw do with each value.
@usableFromInline
struct ContainsWhereStep<Upstream: Publisher, Failure: Error>: Fold {
    @usableFromInline let name: String
    @usableFromInline let predicate: (Upstream.Output) throws(Failure) -> Bool
    @usableFromInline var found = false

    @inlinable
    init(_ name: String, predicate: @escaping (Upstream.Output) throws(Failure) -> Bool) {
        self.name = name
        self.predicate = predicate
    }

    @inlinable
    var result: Bool? { found }

    @inlinable
    mutating func fold(_ input: Upstream.Output) throws(Failure) -> Folded {
        guard try predicate(input) else { return .goOn }
        found = true
        return .finish
    }
}
