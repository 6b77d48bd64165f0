extension Publisher {
    /// Leaves out each value that equals the one before it, and fails with what the closure throws.
    @inlinable
    public func tryRemoveDuplicates(by predicate: @escaping (Output, Output) throws -> Bool)
        -> Publishers.TryRemoveDuplicates<Self>
    {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `tryRemoveDuplicates` returns.
    public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = any Error

        public let upstream: Upstream
        public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            let step = RemoveDuplicatesStep<Upstream, Failure>("TryRemoveDuplicates", predicate: predicate)
            upstream.subscribe(ValueStepStage(step, downstream: AnySubscriber(subscriber)))
        }
    }
}
