/// Where a `Concatenate` stands: which of its two publishers it listens to, and what downstream asked for and has not got.
/// The suffix is asked for exactly that.
struct ConcatenateStateMachine {
    enum Part {
        case prefix
        case suffix
    }

    /// What the end lets go of.
    typealias Released = (subscription: (any Subscription)?, suffix: AnyObject?)

    enum CompletionAction {
        case ignore
        /// The subscription is that of the prefix, which is over.
        case subscribe(AnyObject, after: any Subscription)
        /// Downstream receives the completion.
        case complete(Released)
    }

    /// The publisher that is listened to, or will be.
    private var part = Part.prefix
    private var connection = Connection.awaiting
    private var demand = Subscribers.Demand.none
    /// The suffix, until it is subscribed to. It is kept without its type: values pass a machine that is
    /// not generic much faster.
    private var suffix: AnyObject?

    init(suffix: AnyObject) {
        self.suffix = suffix
    }

    mutating func receive(_ subscription: any Subscription, from part: Part) -> SubscriptionAction {
        guard part == self.part, connection.receive(subscription) == .announce else { return .cancel }
        return part == .prefix ? .announce : .request(demand)
    }

    /// Returns whether the value goes down. One that was not asked for is dropped.
    mutating func receiveValue(from part: Part) -> Bool {
        guard part == self.part, connection.isConnected, demand > .none else { return false }
        demand -= 1
        return true
    }

    /// Counts what a value of this part asks for. Returns false where the part has ended inside of that value: then it is not
    /// counted, but to be requested.
    mutating func add(_ more: Subscribers.Demand, from part: Part) -> Bool {
        guard part == self.part else { return false }
        demand += more
        return true
    }

    mutating func end(_ part: Part, isFinished: Bool) -> CompletionAction {
        guard part == self.part, let subscription = connection.subscription else { return .ignore }
        if isFinished, let suffix = suffix.take() {
            self.part = .suffix
            connection = .awaiting
            return .subscribe(suffix, after: subscription)
        }
        connection = .ended
        return .complete((subscription, suffix.take()))
    }

    /// Returns the subscription to request from.
    mutating func request(_ more: Subscribers.Demand) -> (any Subscription)? {
        demand += more
        return connection.subscription
    }

    /// Returns what is to be cancelled, with what else the end lets go of.
    mutating func cancel() -> Released {
        (connection.end().subscription, suffix.take())
    }
}
