extension Publisher {
    /// Drops values until another publisher sends one.
    public func drop<P>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
    where P: Publisher, Failure == P.Failure {
        .init(upstream: self, other: publisher)
    }
}

extension Publishers {
    /// What `drop(untilOutputFrom:)` returns.
    public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
    where Upstream.Failure == Other.Failure {
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
            subscriber.receive(subscription: inner)
            other.subscribe(Inner.Trigger(stage: inner))
            upstream.subscribe(inner)
        }
    }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publishers.DropUntilOutput {
    private final class Inner<Downstream: Subscriber>: Subscriber, Subscription, StageDescription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        private let state = Locked(DropUntilOutputStateMachine())
        private let downstream: Downstream

        init(_ downstream: Downstream) {
            self.downstream = downstream
        }

        func receive(subscription: any Subscription) {
            state.withLock { $0.receive(subscription) }.perform(with: subscription)
        }

        func receive(_ input: Upstream.Output) -> Subscribers.Demand {
            state.withLock { $0.receiveValue() } ? downstream.receive(input) : .none
        }

        func receive(completion: Subscribers.Completion<Upstream.Failure>) {
            perform(state.withLock { $0.end() }, completion)
        }

        private func perform(
            _ action: DropUntilOutputStateMachine.EndAction, _ completion: Subscribers.Completion<Upstream.Failure>
        ) {
            action.cancelled.subscription?.cancel()
            if action.isTold {
                downstream.receive(completion: completion)
            }
        }

        func request(_ demand: Subscribers.Demand) {
            state.withLock { $0.request(demand) }?.request(demand)
        }

        func cancel() {
            let (upstream, other) = state.withLock { $0.cancel() }
            upstream.subscription?.cancel()
            other.subscription?.cancel()
        }

        var description: String { "DropUntilOutput" }

        /// Subscribes to the other publisher.
        struct Trigger: StagePart {
            let stage: Inner

            func receive(subscription: any Subscription) {
                stage.state.withLock { $0.receiveOther(subscription) }.perform(with: subscription)
            }

            func receive(_ input: Other.Output) -> Subscribers.Demand {
                _ = stage.state.withLock { $0.open() }
                return .none
            }

            func receive(completion: Subscribers.Completion<Other.Failure>) {
                stage.perform(stage.state.withLock { $0.endOther() }, completion)
            }
        }
    }
}
