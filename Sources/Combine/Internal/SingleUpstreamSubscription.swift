/// A stage between one upstream and its downstream, which it gives itself as the subscription. What it does not do in its own
/// way, it passes on.
@usableFromInline
protocol SingleUpstreamSubscription: SingleUpstreamStage, Subscriber, Subscription, StageDescription {
    associatedtype Downstream: Subscriber

    var downstream: Downstream { get }
}

extension SingleUpstreamSubscription {
    @inlinable
    func receive(subscription: any Subscription) {
        guard connect(subscription) else { return }
        downstream.receive(subscription: self)
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        subscription?.request(demand)
    }

    @inlinable
    func cancel() { endAndCancel() }
}

extension SingleUpstreamSubscription where Downstream.Failure == Failure {
    @inlinable
    func receive(completion: Subscribers.Completion<Failure>) {
        guard end() else { return }
        downstream.receive(completion: completion)
    }
}
