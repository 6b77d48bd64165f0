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

        @usableFromInline
        final class Inner<Downstream: Subscriber>: SingleUpstreamStage, Subscriber, Subscription,
            CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
        where Downstream.Input == Never, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream

            @inlinable
            init(downstream: Downstream) {
                self.downstream = downstream
            }

            @inlinable
            func receive(subscription: any Subscription) {
                guard connect(subscription) else { return }
                downstream.receive(subscription: self)
                self.subscription?.request(.unlimited)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand { .none }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                guard end() else { return }
                downstream.receive(completion: completion)
            }

            // Downstream gets no value, whatever it asks for.
            @inlinable
            func request(_ demand: Subscribers.Demand) {}

            @inlinable
            func cancel() { endAndCancel() }

            @usableFromInline
            var description: String { "IgnoreOutput" }

            @usableFromInline
            var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

            @usableFromInline
            var playgroundDescription: Any { description }
        }
    }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}
