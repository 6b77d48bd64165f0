extension Publisher {
    /// Goes on with another publisher where this one fails, or fails with what is thrown instead.
    @inlinable
    public func tryCatch<P>(_ handler: @escaping (Failure) throws -> P) -> Publishers.TryCatch<Self, P>
    where P: Publisher, Output == P.Output {
        .init(upstream: self, handler: handler)
    }
}

extension Publishers {
    /// What `tryCatch` returns.
    public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
    where Upstream.Output == NewPublisher.Output {
        public typealias Output = Upstream.Output
        public typealias Failure = any Error

        public let upstream: Upstream
        public let handler: (Upstream.Failure) throws -> NewPublisher

        @inlinable
        public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            let handler = self.handler
            let stage = CatchStage<AnySubscriber<Output, Failure>, Upstream.Failure, NewPublisher>(
                downstream: AnySubscriber(subscriber), name: "TryCatch", failure: { $0 }
            ) { error in
                do {
                    return .replaced(try handler(error))
                } catch {
                    return .failed(error)
                }
            }
            upstream.subscribe(CatchStage.First(stage: stage))
        }
    }
}
