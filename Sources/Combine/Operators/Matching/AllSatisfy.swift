extension Publisher {
    /// Sends whether the closure accepts every value, as soon as that is known.
    @inlinable
    public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `allSatisfy` is.
    public struct AllSatisfy<Upstream: Publisher>: Publisher {
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
                    AllSatisfyStep<Upstream, Failure>("AllSatisfy", predicate: predicate),
                    downstream: AnySubscriber(subscriber)))
        }
    }
}

/// What `allSatisfy` and its twin that may throw do with each value.
@usableFromInline
struct AllSatisfyStep<Upstream: Publisher, Failure: Error>: Fold {
    @usableFromInline let name: String
    @usableFromInline let predicate: (Upstream.Output) throws(Failure) -> Bool
    @usableFromInline var accepted = true

    @inlinable
    init(_ name: String, predicate: @escaping (Upstream.Output) throws(Failure) -> Bool) {
        self.name = name
        self.predicate = predicate
    }

    @inlinable
    var result: Bool? { accepted }

    @inlinable
    mutating func fold(_ input: Upstream.Output) throws(Failure) -> Folded {
        guard try !predicate(input) else { return .goOn }
        accepted = false
        return .finish
    }
}
