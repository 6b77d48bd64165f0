/// The base class of the stages that hand over to their downstream from scheduled actions. What an operator keeps for itself
/// is in a state machine of its own.
///
/// No lock is held while the downstream is called. What another thread wants to send meanwhile waits and is
/// sent by the thread that calls the downstream; what the downstream itself causes is sent at once.
class ScheduledStage<Downstream: Subscriber>: Subscription {
    typealias Failure = Downstream.Failure
    typealias Event = ScheduledStateMachine<Downstream>.Event

    private final let stage: Locked<ScheduledStateMachine<Downstream>>

    init(_ downstream: Downstream, endsForGood: Bool = false, canBeCancelledWhileFinishing: Bool = true) {
        stage = Locked(
            ScheduledStateMachine(
                downstream, endsForGood: endsForGood, canBeCancelledWhileFinishing: canBeCancelledWhileFinishing))
    }

    // MARK: For subclasses

    /// Gives away demand that the downstream has added while it received a value.
    func add(_ demand: Subscribers.Demand) {
        stage.withLock { $0.lastSubscription }?.request(demand)
    }

    /// Asks for values. Called by the downstream.
    func request(_ demand: Subscribers.Demand) {
        subscription?.request(demand)
    }

    /// Ends what the subclass has of its own.
    func release() {}

    /// The downstream, or nil after the end, as a mirror shows it.
    final var downstreamToShow: Any {
        let downstream = stage.withLock { $0.outlet }?.downstream
        return downstream ?? downstream as Any
    }

    /// The upstream's subscription, until the upstream's end.
    final var subscription: (any Subscription)? { stage.withLock { $0.subscription } }

    /// Whether the upstream may still send something.
    final var isConnected: Bool { stage.withLock { $0.isConnected } }

    /// Takes the upstream's subscription and hands the downstream its own; a second one is cancelled.
    final func connect(_ subscription: any Subscription) -> Bool {
        let (action, outlet) = stage.withLock { ($0.receive(subscription), $0.outlet) }
        action.perform(with: subscription) { outlet?.downstream.receive(subscription: self) }
        return action == .announce
    }

    /// Records the upstream's end, and returns its subscription where it had not ended already.
    final func finishUpstream() -> (any Subscription)? { stage.withLock { $0.finish() } }

    /// Keeps an event until `tellNext` is called, which is called as often. Returns whether the event is wanted.
    final func append(_ event: Event) -> Bool {
        stage.withLock { $0.append(event) }
    }

    /// Tells the downstream the first of the events that are kept.
    final func tellNext() {
        let thread = currentThread()
        perform(stage.withLock { $0.begin(on: thread) })
    }

    /// Tells the downstream, unless it is at its end.
    final func tell(_ event: Event) {
        tell { event }
    }

    /// Tells the downstream what the closure returns, unless it is at its end. The closure runs with the lock held.
    final func tell(_ next: () -> Event?) {
        let thread = currentThread()
        perform(
            stage.withLock { machine in
                guard machine.lastSubscription != nil, let event = next(), machine.append(event) else { return nil }
                return machine.begin(on: thread)
            })
    }

    private func perform(_ entry: Turn.Entry?) {
        guard let entry else { return }
        while let (event, outlet, released) = stage.withLock({ $0.next(entry) }) {
            switch event {
            case .value(let value):
                let demand = outlet.receive(value)
                if demand > .none { add(demand) }
            case .completion(let completion):
                release()
                outlet.downstream.receive(completion: completion)
            }
            withExtendedLifetime(released) {}
            // From inside of another it sends one; that one sends the rest.
            if entry == .again { return }
        }
    }

    final func cancel() {
        let released = stage.withLock { $0.cancel() }
        guard released.isEnd else { return }
        release()
        released.subscription?.cancel()
    }
}
