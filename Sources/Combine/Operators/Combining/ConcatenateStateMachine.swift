/// Where a `Concatenate` stands: which of its two publishers it listens to, and what downstream asked for and has not got.
/// The suffix is asked for exactly that.
struct ConcatenateStateMachine {
    enum Part {
        case prefix
        case suffix
    }

    private enum State {
        case awaiting(Part)
        case connected(Part, any Subscription)
        case ended
    }

    /// What the end lets go of.
    typealias Released = (subscription: (any Subscription)?, suffix: AnyObject?)

    enum CompletionAction {
        case ignore
        /// The subscription is that of the prefix, which is over.
        case subscribe(AnyObject, after: any Subscription)
        /// Downstream is told.
        case complete(Released)
    }

    private var state = State.awaiting(.prefix)
    private var demand = Subscribers.Demand.none
    /// The suffix, until it is subscribed to. Its type is not told: values pass a machine of no types much faster.
    private var suffix: AnyObject?

    init(suffix: AnyObject) {
        self.suffix = suffix
    }

    mutating func receive(_ subscription: any Subscription, from part: Part) -> SubscriptionAction {
        guard case .awaiting(part) = state else { return .cancel }
        state = .connected(part, subscription)
        return part == .prefix ? .announce : .request(demand)
    }

    /// Returns whether the value goes down. One that was not asked for is dropped.
    mutating func receiveValue(from part: Part) -> Bool {
        guard case .connected(part, _) = state, demand > .none else { return false }
        demand -= 1
        return true
    }

    mutating func add(_ more: Subscribers.Demand) {
        demand += more
    }

    mutating func end(_ part: Part, isFinished: Bool) -> CompletionAction {
        guard case .connected(part, let subscription) = state else { return .ignore }
        if isFinished, let suffix = suffix.take() {
            state = .awaiting(.suffix)
            return .subscribe(suffix, after: subscription)
        }
        state = .ended
        return .complete((subscription, suffix.take()))
    }

    /// Returns who is to be asked.
    mutating func request(_ more: Subscribers.Demand) -> (any Subscription)? {
        demand += more
        guard case .connected(_, let subscription) = state else { return nil }
        return subscription
    }

    /// Returns what is to be cancelled, with what else the end lets go of.
    mutating func cancel() -> Released {
        guard case .connected(_, let subscription) = exchange(&state, with: .ended) else { return (nil, suffix.take()) }
        return (subscription, suffix.take())
    }
}
