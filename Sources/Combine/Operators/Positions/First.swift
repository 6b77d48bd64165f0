extension Publisher {
    /// Sends the first value, and ends.
    @inlinable
    public func first() -> Publishers.First<Self> {
        .init(upstream: self)
    }
}

extension Publishers {
    /// What `first` is.
    public struct First<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream

        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            let step = FirstWhereStep<Upstream, Failure>("First") { _ in true }
            upstream.subscribe(FoldStage(step, downstream: AnySubscriber(subscriber)))
        }
    }
}

extension Publishers.First: Equatable where Upstream: Equatable {}
