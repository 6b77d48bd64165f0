/// Where a stage stands that hands over to its downstream from scheduled actions. A scheduler may run these on any thread, and
/// on several at once; a subscriber receives one event at a time, in order.
///
/// It is not generic, as values pass such a machine much faster: an event is the closure that hands it over.
struct ScheduledStateMachine {
    enum Event {
        case value(() -> Subscribers.Demand)
        case completion(() -> Void)
    }

    private enum State {
        case awaiting
        case connected(any Subscription)
        /// The upstream has ended, and the downstream has not received that yet. What it asks for with values that it still
        /// receives goes to a subscription that is over, as with Apple's.
        case finishing(any Subscription)
        case ended
    }

    /// What the end lets go of.
    struct Released {
        var isEnd = false
        var subscription: (any Subscription)?
        var downstream: AnyObject?
        var events = Queue<Event>()
    }

    /// Whether a cancel counts before the subscription has come, and the end lets go of the downstream. Of Apple's, only
    /// `throttle` does so: with the others a subscription that comes later is taken, and what keeps a stage that is over
    /// keeps its downstream.
    private let endsForGood: Bool
    /// Whether a cancel counts while the completion is on its way. With Apple's `delay` and `receive(on:)` it does not.
    private let canBeCancelledWhileFinishing: Bool
    private var state = State.awaiting
    private(set) var downstream: AnyObject?
    private var events = Queue<Event>()
    /// How many of the events are to be handed over by now.
    private var due = 0
    private var turn = Turn()

    init(_ downstream: AnyObject, endsForGood: Bool = false, canBeCancelledWhileFinishing: Bool = true) {
        self.downstream = downstream
        self.endsForGood = endsForGood
        self.canBeCancelledWhileFinishing = canBeCancelledWhileFinishing
    }

    /// The upstream's subscription, until the upstream's end.
    var subscription: (any Subscription)? {
        if case .connected(let subscription) = state { subscription } else { nil }
    }

    /// The upstream's subscription, until the downstream has received the end.
    var lastSubscription: (any Subscription)? {
        switch state {
        case .connected(let subscription), .finishing(let subscription): subscription
        case .awaiting, .ended: nil
        }
    }

    /// Whether the upstream may still send something.
    var isConnected: Bool {
        if case .connected = state { true } else { false }
    }

    mutating func receive(_ subscription: any Subscription) -> SubscriptionAction {
        guard case .awaiting = state else { return .cancel }
        state = .connected(subscription)
        return .announce
    }

    /// Notes the upstream's end. Returns its subscription where that is new.
    mutating func finish() -> (any Subscription)? {
        guard case .connected(let subscription) = state else { return nil }
        state = .finishing(subscription)
        return subscription
    }

    /// Keeps an event that is handed over later. Returns whether it is wanted.
    mutating func append(_ event: Event) -> Bool {
        switch state {
        case .connected, .finishing: events.append(event)
        case .awaiting, .ended: return false
        }
        return true
    }

    /// One more event is due. Returns nil where another thread hands it over, and else what `next` is given.
    mutating func begin(on thread: UInt) -> Turn.Entry? {
        guard due < events.count else { return nil }
        due += 1
        let entry = turn.enter(on: thread)
        return entry == .refused ? nil : entry
    }

    /// Returns what is handed over next. The end is what `end` is called with.
    mutating func next(_ entry: Turn.Entry) -> Event? {
        guard due > 0, let event = events.popFirst() else {
            turn.leave(entry)
            return nil
        }
        due -= 1
        return event
    }

    mutating func cancel() -> Released {
        switch state {
        case .awaiting where !endsForGood, .finishing where !canBeCancelledWhileFinishing, .ended: Released()
        case .awaiting, .connected, .finishing: end()
        }
    }

    mutating func end() -> Released {
        let released = Released(isEnd: true, subscription: lastSubscription, downstream: downstream, events: events)
        state = .ended
        events = Queue()
        due = 0
        if endsForGood {
            downstream = nil
        }
        return released
    }
}
