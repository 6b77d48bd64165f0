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
            let step = MatchStep<Upstream, Failure>("AllSatisfy", initial: true, predicate: predicate)
            upstream.subscribe(FoldStage(step, downstream: AnySubscriber(subscriber)))
        }
    }
}
