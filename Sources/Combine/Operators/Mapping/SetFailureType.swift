extension Publisher where Failure == Never {
    /// Lets a publisher that cannot fail stand where one that may is asked for.
    @inlinable
    public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
        .init(upstream: self)
    }
}

extension Publishers {
    /// What `setFailureType` returns.
    public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher where Upstream.Failure == Never {
        public typealias Output = Upstream.Output

        public let upstream: Upstream

        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        @inlinable
        public func receive<S>(subscriber: S) where Failure == S.Failure, S: Subscriber, Upstream.Output == S.Input {
            upstream.subscribe(Inner(downstream: AnySubscriber(subscriber)))
        }

        @inlinable
        public func setFailureType<E: Error>(to failure: E.Type) -> Publishers.SetFailureType<Upstream, E> {
            .init(upstream: upstream)
        }

        @usableFromInline
        struct Inner<Downstream: Subscriber>: PassThrough where Downstream.Input == Upstream.Output {
            @usableFromInline
            typealias Failure = Never

            @usableFromInline let downstream: Downstream
            @usableFromInline let combineIdentifier = CombineIdentifier()

            @inlinable
            init(downstream: Downstream) {
                self.downstream = downstream
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand { downstream.receive(input) }

            @inlinable
            func receive(completion: Subscribers.Completion<Never>) { downstream.receive(completion: .finished) }

            @usableFromInline
            var description: String { "SetFailureType" }
        }
    }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}
