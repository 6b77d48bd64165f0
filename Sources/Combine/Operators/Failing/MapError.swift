extension Publisher {
    /// Turns the failure into another.
    public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
        .init(upstream: self, transform)
    }
}

extension Publishers {
    /// What `mapError` returns.
    public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
        public typealias Output = Upstream.Output

        public let upstream: Upstream
        public let transform: (Upstream.Failure) -> Failure

        public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
            self.upstream = upstream
            self.transform = transform
        }

        public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
            self.init(upstream: upstream, transform: map)
        }

        public func receive<S>(subscriber: S) where Failure == S.Failure, S: Subscriber, Upstream.Output == S.Input {
            upstream.subscribe(Inner(downstream: subscriber, transform: transform))
        }

        private struct Inner<Downstream: Subscriber>: PassThrough
        where Downstream.Input == Upstream.Output, Downstream.Failure == MapError.Failure {
            typealias Failure = Upstream.Failure

            let downstream: Downstream
            let transform: (Upstream.Failure) -> MapError.Failure
            let combineIdentifier = CombineIdentifier()

            func receive(_ input: Upstream.Output) -> Subscribers.Demand { downstream.receive(input) }

            func receive(completion: Subscribers.Completion<Failure>) {
                downstream.receive(completion: completion.mapError(transform))
            }

            var description: String { "MapError" }
        }
    }
}
