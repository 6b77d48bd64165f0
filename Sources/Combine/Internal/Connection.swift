/// Where one subscription of a stage stands. A stage takes one subscription; a second is cancelled.
enum Connection {
    case awaiting
    case connected(any Subscription)
    case ended

    var subscription: (any Subscription)? {
        if case .connected(let subscription) = self { subscription } else { nil }
    }

    var isConnected: Bool {
        if case .connected = self { true } else { false }
    }

    var isAwaiting: Bool {
        if case .awaiting = self { true } else { false }
    }

    var isEnded: Bool {
        if case .ended = self { true } else { false }
    }
}
