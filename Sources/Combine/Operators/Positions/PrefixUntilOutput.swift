extension Publisher {
    /// Passes values until another publisher sends one.
    public func prefix<P>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> where P: Publisher {
        .init(upstream: self, other: publisher)
    }
}

extension Publishers {
    /// What `prefix(untilOutputFrom:)` returns.
    public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let other: Other

        public init(upstream: Upstream, other: Other) {
            self.upstream = upstream
            self.other = other
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            let inner = Inner(subscriber)
            other.subscribe(Inner.Trigger(inner: inner))
            upstream.subscribe(inner)
        }
    }
}

extension Publishers.PrefixUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publishers.PrefixUntilOutput {
    // As Apple's, it does not describe itself.
    private final class Inner<Downstream: Subscriber>: Subscriber, Subscription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        private let state = Locked(PrefixUntilOutputStateMachine())
        private let downstream: Downstream

        init(_ downstream: Downstream) {
            self.downstream = downstream
        }

        func receive(subscription: any Subscription) {
            state.withLock { $0.receive(subscription) }.perform(with: subscription) {
                downstream.receive(subscription: self)
            }
        }

        func receive(_ input: Upstream.Output) -> Subscribers.Demand {
            let thread = currentThread()
            guard let entry = state.withLock({ $0.beginValue(on: thread) }) else { return .none }
            let more = downstream.receive(input)
            guard state.withLock({ $0.endValue(entry) }) else { return more }
            downstream.receive(completion: .finished)
            return .none
        }

        func receive(completion: Subscribers.Completion<Upstream.Failure>) {
            let (upstream, other) = state.withLock { $0.end() }
            other.subscription?.cancel()
            if upstream.isConnected {
                downstream.receive(completion: completion)
            }
        }

        func request(_ demand: Subscribers.Demand) {
            state.withLock { $0.upstream.subscription }?.request(demand)
        }

        func cancel() {
            let (upstream, other) = state.withLock { $0.cancel() }
            upstream.subscription?.cancel()
            other.subscription?.cancel()
        }

        /// Subscribes to the other publisher.
        struct Trigger: Subscriber {
            let inner: Inner

            var combineIdentifier: CombineIdentifier { inner.combineIdentifier }

            func receive(subscription: any Subscription) {
                inner.state.withLock { $0.receiveOther(subscription) }.perform(with: subscription)
            }

            func receive(_ input: Other.Output) -> Subscribers.Demand {
                let thread = currentThread()
                let action = inner.state.withLock { $0.receiveOtherValue(on: thread) }
                action.upstream.subscription?.cancel()
                if action.isTold {
                    inner.downstream.receive(completion: .finished)
                }
                return .none
            }

            func receive(completion: Subscribers.Completion<Other.Failure>) {
                _ = inner.state.withLock { $0.endOther() }
            }
        }
    }
}
