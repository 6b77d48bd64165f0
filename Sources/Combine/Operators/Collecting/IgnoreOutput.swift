extension Publisher {
    /// Leaves out every value, and passes the end.
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

        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Never, Upstream.Failure == S.Failure {
            upstream.subscribe(Inner(downstream: subscriber))
        }

        private final class Inner<Downstream: Subscriber>: OneUpstream, Subscriber, Subscription,
            CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
        where Downstream.Input == Never, Downstream.Failure == Upstream.Failure {
            private let downstream: Downstream

            init(downstream: Downstream) {
                self.downstream = downstream
            }

            func receive(subscription: any Subscription) {
                guard connect(subscription) else { return }
                downstream.receive(subscription: self)
                self.subscription?.request(.unlimited)
            }

            func receive(_ input: Upstream.Output) -> Subscribers.Demand { .none }

            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                guard end() else { return }
                downstream.receive(completion: completion)
            }

            // Downstream gets no value, whatever it asks for.
            func request(_ demand: Subscribers.Demand) {}

            func cancel() { endAndCancel() }

            var description: String { "IgnoreOutput" }

            var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

            var playgroundDescription: Any { description }
        }
    }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}
