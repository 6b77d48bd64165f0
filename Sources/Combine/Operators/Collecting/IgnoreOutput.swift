extension Publisher {
    /// Leaves out every value, and passes the end.
    @inlinable
    public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
        .init(upstream: self)
    }
}

extension Publishers {
    /// What `ignoreOutput` returns.
    public struct IgnoreOutput<Upstream: Publisher>: Publisher {
        public typealias Output = Never
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream

        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Never, Upstream.Failure == S.Failure {
            upstream.subscribe(Inner(downstream: AnySubscriber(subscriber)))
        }

        // Downstream has the upstream's own subscription: what it asks for is asked of upstream, in addition to everything.
        @usableFromInline
        struct Inner<Downstream: Subscriber>: PassThrough
        where Downstream.Input == Never, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let combineIdentifier = CombineIdentifier()

            @inlinable
            init(downstream: Downstream) {
                self.downstream = downstream
            }

            @inlinable
            func receive(subscription: any Subscription) {
                downstream.receive(subscription: subscription)
                subscription.request(.unlimited)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand { .none }

            @usableFromInline
            var description: String { "IgnoreOutput" }
        }
    }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}
