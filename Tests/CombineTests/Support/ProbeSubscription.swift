import Combine

/// A subscription that records what it is asked.
final class ProbeSubscription: Subscription, CustomStringConvertible {
    enum Event: Equatable {
        case requested(Subscribers.Demand)
        case cancelled
    }

    private(set) var events: [Event] = []

    /// Is called after each event is recorded.
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

    /// All demand that was requested.
    var requested: Subscribers.Demand {
        events.reduce(into: .none) { sum, event in
            if case .requested(let demand) = event { sum += demand }
        }
    }

    var description: String { "ProbeSubscription" }
}

/// Whether a state machine has returned this subscription.
func === (subscription: (any Subscription)?, probe: ProbeSubscription) -> Bool {
    subscription?.combineIdentifier == probe.combineIdentifier
}
