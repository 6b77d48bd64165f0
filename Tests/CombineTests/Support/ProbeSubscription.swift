import Combine

/// A subscription that writes down what is asked of it.
final class ProbeSubscription: Subscription, CustomStringConvertible {
    enum Event: Equatable {
        case requested(Subscribers.Demand)
        case cancelled
    }

    private(set) var events: [Event] = []

    /// Is called after each event is written down.
    var onRequest: (Subscribers.Demand) -> Void = { _ in }
    var onCancel: () -> Void = {}

    func request(_ demand: Subscribers.Demand) {
        events.append(.requested(demand))
        onRequest(demand)
    }

    func cancel() {
        events.append(.cancelled)
        onCancel()
    }

    var isCancelled: Bool { events.contains(.cancelled) }

    /// All that was asked for.
    var requested: Subscribers.Demand {
        events.reduce(into: .none) { sum, event in
            if case .requested(let demand) = event { sum += demand }
        }
    }

    var description: String { "ProbeSubscription" }
}
