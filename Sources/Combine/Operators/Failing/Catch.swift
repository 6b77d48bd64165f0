extension Publisher {
    /// Goes on with another publisher where this one fails.
    @inlinable
    public func `catch`<P>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
    where P: Publisher, Output == P.Output {
        .init(upstream: self, handler: handler)
    }
}

extension Publishers {
    /// What `catch` returns.
    public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
    where Upstream.Output == NewPublisher.Output {
        public typealias Output = Upstream.Output
        public typealias Failure = NewPublisher.Failure

        public let upstream: Upstream
        public let handler: (Upstream.Failure) -> NewPublisher

        @inlinable
        public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            let handler = self.handler
            let stage = CatchStage<AnySubscriber<Output, Failure>, Upstream.Failure, NewPublisher>(
                downstream: AnySubscriber(subscriber), name: "Catch", failure: { $0 }
            ) { error in .replaced(handler(error)) }
            upstream.subscribe(CatchStage.First(stage: stage))
        }
    }
}
