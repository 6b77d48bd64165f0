extension Publisher where Failure == Never {
    /// Lets a publisher that cannot fail stand where one that may is asked for.
    public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
        .init(upstream: self)
    }
}

extension Publishers {
    /// What `setFailureType` returns.
    public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher where Upstream.Failure == Never {
        public typealias Output = Upstream.Output

        public let upstream: Upstream

        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        public func receive<S>(subscriber: S) where Failure == S.Failure, S: Subscriber, Upstream.Output == S.Input {
            upstream.subscribe(Inner(downstream: subscriber))
        }

        public func setFailureType<E: Error>(to failure: E.Type) -> Publishers.SetFailureType<Upstream, E> {
            .init(upstream: upstream)
        }

        private struct Inner<Downstream: Subscriber>: PassThrough where Downstream.Input == Upstream.Output {
            typealias Failure = Never

            let downstream: Downstream
            let combineIdentifier = CombineIdentifier()

            func receive(_ input: Upstream.Output) -> Subscribers.Demand { downstream.receive(input) }

            func receive(completion: Subscribers.Completion<Never>) { downstream.receive(completion: .finished) }

            var description: String { "SetFailureType" }
        }
    }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}
