import Combine

/// What a subscriber can receive.
enum Event<Value: Equatable>: Equatable, CustomStringConvertible {
    /// A subscription came; this is its description.
    case subscription(String)
    case value(Value)
    case finished
    /// The failure's description.
    case failure(String)

    var description: String {
        switch self {
        case .subscription(let name): "subscription(\(name))"
        case .value(let value): "value(\(value))"
        case .finished: "finished"
        case .failure(let error): "failure(\(error))"
        }
    }
}

/// A subscriber that records everything that it receives, in order. It keeps its subscription until `cancel` or
/// `letGo` is called.
final class Recorder<Input: Equatable, Failure: Error>: Subscriber {
    private(set) var events: [Event<Input>] = []
    private(set) var subscription: (any Subscription)?

    /// Is called after each event is recorded, so that a test can act from inside it.
    var onSubscription: (any Subscription) -> Void = { _ in }
    var onValue: (Input) -> Subscribers.Demand
    var onCompletion: (Subscribers.Completion<Failure>) -> Void = { _ in }

    /// A recorder that asks for `initially` at once and for `perValue` with each value.
    init(
        requesting initially: Subscribers.Demand? = .unlimited, perValue: Subscribers.Demand = .none
    ) {
        onValue = { _ in perValue }
        if let initially {
            onSubscription = { $0.request(initially) }
        }
    }

    func receive(subscription: any Subscription) {
        events.append(.subscription(String(describing: subscription)))
        self.subscription = subscription
        onSubscription(subscription)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        events.append(.value(input))
        return onValue(input)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: events.append(.finished)
        case .failure(let error): events.append(.failure("\(error)"))
        }
        onCompletion(completion)
    }

    var values: [Input] {
        events.compactMap { event in
            if case .value(let value) = event { value } else { nil }
        }
    }

    /// Everything but the subscriptions.
    var signals: [Event<Input>] {
        events.filter { event in
            if case .subscription = event { false } else { true }
        }
    }

    func request(_ demand: Subscribers.Demand) {
        subscription?.request(demand)
    }

    func cancel() {
        subscription?.cancel()
    }

    /// Releases the subscription without cancelling it.
    func letGo() {
        subscription = nil
        onSubscription = { _ in }
        onValue = { _ in .none }
        onCompletion = { _ in }
    }
}
