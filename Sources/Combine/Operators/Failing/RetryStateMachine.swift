/// Where a `retry` stands: which attempt it is at, and what downstream asked for and has not got. Each attempt is asked for
/// exactly that.
struct RetryStateMachine {
    private enum State {
        case awaiting
        case connected(any Subscription)
        case ended
    }

    /// The upstream and the downstream, until the end. They are kept without their types: values pass a machine that is not
    /// generic much faster.
    struct Ends {
        let upstream: AnyObject
        let downstream: AnyObject
    }

    /// What the end lets go of.
    typealias Released = (subscription: (any Subscription)?, ends: Ends?)

    enum FailureAction {
        case ignore
        /// The subscription is that of the attempt that has failed.
        case subscribe(Ends, after: (any Subscription)?)
        /// The attempt has failed while it was being subscribed to: the call that subscribes tries again.
        case wait(after: (any Subscription)?)
        /// There are no more attempts, and downstream receives the failure.
        case complete(Released)
    }

    private enum Attempt {
        case first
        case later
        /// A later one is being subscribed to.
        case beginning
        /// It has failed before it was subscribed to.
        case beginningAgain
    }

    private var state = State.awaiting
    private var attempt = Attempt.first
    private var remaining: Int?
    private var demand = Subscribers.Demand.none
    private(set) var ends: Ends?

    init(retries: Int?, ends: Ends) {
        remaining = retries
        self.ends = ends
    }

    mutating func receive(_ subscription: any Subscription) -> SubscriptionAction {
        guard case .awaiting = state else { return .cancel }
        state = .connected(subscription)
        guard case .first = attempt else { return .request(demand) }
        attempt = .later
        return .announce
    }

    /// Counts a value, and returns where it goes. As with Apple's, it may come before the subscription, if one was asked for.
    mutating func receiveValue() -> AnyObject? {
        guard let ends else { return nil }
        if demand == .none {
            misuse("A publisher must not send more values than it was asked for.")
        }
        demand -= 1
        return ends.downstream
    }

    mutating func fail() -> FailureAction {
        guard case .connected(let subscription) = state, let ends else { return .ignore }
        guard remaining != 0 else { return .complete(end()) }
        remaining = remaining.map { $0 - 1 }
        state = .awaiting
        switch attempt {
        case .first, .later:
            attempt = .beginning
            return .subscribe(ends, after: subscription)
        case .beginning, .beginningAgain:
            attempt = .beginningAgain
            return .wait(after: subscription)
        }
    }

    /// The upstream has been subscribed to. Returns whether that is to be done once more.
    mutating func mustSubscribeAgain() -> Bool {
        guard case .beginningAgain = attempt, ends != nil else {
            attempt = .later
            return false
        }
        attempt = .beginning
        return true
    }

    /// Returns the subscription to request from.
    mutating func request(_ more: Subscribers.Demand) -> (any Subscription)? {
        demand += more
        guard case .connected(let subscription) = state else { return nil }
        return subscription
    }

    /// Ends it, where the upstream has finished and where downstream cancels.
    mutating func end() -> Released {
        let ends = self.ends.take()
        guard case .connected(let subscription) = exchange(&state, with: .ended) else { return (nil, ends) }
        return (subscription, ends)
    }
}
