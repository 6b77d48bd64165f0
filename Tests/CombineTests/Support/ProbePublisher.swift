import Combine

/// A publisher that sends what the test says, with or without demand, and returns the subscriber's answer.
final class ProbePublisher<Output, Failure: Error>: Publisher {
    /// What the latest subscriber gets.
    let subscription: ProbeSubscription?
    private(set) var subscriber: AnySubscriber<Output, Failure>?
    private(set) var subscriberCount = 0

    /// Without a subscription, `subscribe` gives none, and the test can give one later.
    init(subscription: ProbeSubscription? = ProbeSubscription()) {
        self.subscription = subscription
    }

    func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
        self.subscriber = AnySubscriber(subscriber)
        subscriberCount += 1
        if let subscription {
            subscriber.receive(subscription: subscription)
        }
    }

    @discardableResult
    func send(_ value: Output) -> Subscribers.Demand {
        subscriber?.receive(value) ?? .none
    }

    func send(completion: Subscribers.Completion<Failure>) {
        subscriber?.receive(completion: completion)
    }

    func send(subscription: any Subscription) {
        subscriber?.receive(subscription: subscription)
    }

    /// Everything that was requested of the subscription or cancelled.
    var events: [ProbeSubscription.Event] { subscription?.events ?? [] }

    func letGo() {
        subscriber = nil
    }
}
