import Combine

/// Sends each number of the upstream, times two.
public struct Doubled<Upstream: Publisher>: Publisher where Upstream.Output == Int {
    public typealias Output = Int
    public typealias Failure = Upstream.Failure

    private let upstream: Upstream

    public init(_ upstream: Upstream) {
        self.upstream = upstream
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
        upstream.subscribe(DoublingSubscription(subscriber))
    }
}

/// A subscriber of the upstream, and the subscription of the downstream.
private final class DoublingSubscription<Downstream: Subscriber>: Subscriber, Subscription
where Downstream.Input == Int {
    private var downstream: Downstream?
    private var upstream: (any Subscription)?

    init(_ downstream: Downstream) {
        self.downstream = downstream
    }

    func receive(subscription: any Subscription) {
        upstream = subscription
        downstream?.receive(subscription: self)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        downstream?.receive(input * 2) ?? .none
    }

    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        downstream?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        upstream?.request(demand)
    }

    func cancel() {
        // Pass it on to the upstream, and send nothing more to the downstream.
    }
}
