extension Publisher {
    /// Turns the failure into another.
    @inlinable
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

        @inlinable
        public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
            self.upstream = upstream
            self.transform = transform
        }

        @inlinable
        public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
            self.init(upstream: upstream, transform: map)
        }

        @inlinable
        public func receive<S>(subscriber: S) where Failure == S.Failure, S: Subscriber, Upstream.Output == S.Input {
            upstream.subscribe(Inner(downstream: AnySubscriber(subscriber), transform: transform))
        }

        @usableFromInline
        struct Inner<Downstream: Subscriber>: PassThrough
        where Downstream.Input == Upstream.Output, Downstream.Failure == MapError.Failure {
            @usableFromInline
            typealias Failure = Upstream.Failure

            @usableFromInline let downstream: Downstream
            @usableFromInline let transform: (Upstream.Failure) -> MapError.Failure
            @usableFromInline let combineIdentifier = CombineIdentifier()

            @inlinable
            init(downstream: Downstream, transform: @escaping (Upstream.Failure) -> MapError.Failure) {
                self.downstream = downstream
                self.transform = transform
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand { downstream.receive(input) }

            @inlinable
            func receive(completion: Subscribers.Completion<Failure>) {
                downstream.receive(completion: completion.mapError(transform))
            }

            @usableFromInline
            var description: String { "MapError" }
        }
    }
}
