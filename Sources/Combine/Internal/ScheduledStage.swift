/// The base class of the stages that hand over to their downstream from scheduled actions. What an operator keeps for itself
/// is in a state machine of its own.
///
/// No lock is held while the downstream is called. What another thread wants to send in the meantime waits and is
/// sent by the thread that calls the downstream; what the downstream itself causes is sent at once.
class ScheduledStage<Downstream: Subscriber>: Subscription {
    typealias Failure = Downstream.Failure

    enum Event {
        case value(Downstream.Input)
        case completion(Subscribers.Completion<Downstream.Failure>)
    }

    private final let stage: Locked<ScheduledStateMachine>

    init(_ downstream: Downstream, endsForGood: Bool = false, canBeCancelledWhileFinishing: Bool = true) {
        stage = Locked(
            ScheduledStateMachine(
                Outlet(downstream), endsForGood: endsForGood, canBeCancelledWhileFinishing: canBeCancelledWhileFinishing
            ))
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
        let downstream = outlet?.downstream
        return downstream ?? downstream as Any
    }

    private final var outlet: Outlet<Downstream>? {
        stage.withLock { $0.downstream }.map { unsafeDowncast($0, to: Outlet<Downstream>.self) }
    }

    /// The upstream's subscription, until the upstream's end.
    final var subscription: (any Subscription)? { stage.withLock { $0.subscription } }

    /// Whether the upstream may still send something.
    final var isConnected: Bool { stage.withLock { $0.isConnected } }

    /// Takes the upstream's subscription and hands the downstream its own; a second one is cancelled.
    final func connect(_ subscription: any Subscription) -> Bool {
        let outlet = self.outlet
        let action = stage.withLock { $0.receive(subscription) }
        action.perform(with: subscription) { outlet?.downstream.receive(subscription: self) }
        return action == .announce
    }

    /// Records the upstream's end, and returns its subscription where it had not ended already.
    final func finishUpstream() -> (any Subscription)? { stage.withLock { $0.finish() } }

    /// Keeps an event until `tellNext` is called, once for each event. Returns whether the event is wanted.
    final func append(_ event: Event) -> Bool {
        guard let event = handingOver(event) else { return false }
        return stage.withLock { $0.append(event) }
    }

    /// Sends the first of the events that are kept to the downstream.
    final func tellNext() {
        let thread = currentThread()
        perform(stage.withLock { $0.begin(on: thread) })
    }

    /// Sends an event to the downstream, unless it is at its end.
    final func tell(_ event: Event) {
        guard let event = handingOver(event) else { return }
        let thread = currentThread()
        perform(stage.withLock { $0.append(event) ? $0.begin(on: thread) : nil })
    }

    private func handingOver(_ event: Event) -> ScheduledStateMachine.Event? {
        guard let outlet else { return nil }
        switch event {
        case .value(let value): return .value { outlet.receive(value) }
        case .completion(let completion): return .completion { outlet.downstream.receive(completion: completion) }
        }
    }

    private func perform(_ entry: Turn.Entry?) {
        guard let entry else { return }
        while let event = stage.withLock({ $0.next(entry) }) {
            switch event {
            case .value(let send):
                let demand = send()
                if demand > .none { add(demand) }
            case .completion(let send):
                let released = stage.withLock { $0.end() }
                release()
                send()
                withExtendedLifetime(released) {}
            }
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
