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

    mutating func receive(_ subscription: any Subscription) -> SubscriptionAction {
        guard case .awaiting = self else { return .cancel }
        self = .connected(subscription)
        return .announce
    }

    /// Ends it where it has begun, and returns the subscription.
    mutating func finish() -> (any Subscription)? {
        guard case .connected(let subscription) = self else { return nil }
        self = .ended
        return subscription
    }

    /// Ends it, and returns what it was: that is let go of outside of the lock.
    mutating func end() -> Connection { exchange(&self, with: .ended) }

    /// Makes it await another subscription, unless it has ended, and returns what it was.
    mutating func reset() -> Connection { isEnded ? .ended : exchange(&self, with: .awaiting) }
}
