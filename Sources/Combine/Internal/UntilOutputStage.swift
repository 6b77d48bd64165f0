/// The stage of `drop(untilOutputFrom:)`, which lets nothing pass until a second publisher sends a value, and of
/// `prefix(untilOutputFrom:)`, which ends when that comes.
final class UntilOutputStage<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible
{
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    private let lock = Lock()
    private let name: StaticString
    private let endsWithTrigger: Bool
    private var outlet: Outlet<Downstream>?
    private var upstream = Connection.awaiting
    private var other = Connection.awaiting
    private var isOpen: Bool
    /// Downstream has its subscription, before which it may hear of no end.
    private var isAnnounced = false
    /// What was requested before there was a subscription to request it from.
    private var demand = Subscribers.Demand.none
    private var turn = Turn()
    /// How it ends, from when that is known until it is sent; `isOver` is cheaper to read.
    private var end: Subscribers.Completion<Failure>?
    private var isOver = false

    /// A stage that is open passes values until the trigger comes; another drops them until then.
    init(_ downstream: Downstream, name: StaticString, isOpen: Bool) {
        outlet = Outlet(downstream)
        self.name = name
        self.isOpen = isOpen
        endsWithTrigger = isOpen
    }

    /// Gives downstream its subscription.
    func open() {
        lock.lock()
        let outlet = self.outlet
        lock.unlock()
        outlet?.downstream.receive(subscription: self)
        lock.lock()
        isAnnounced = true
        endIfDueAndUnlock()
    }

    // MARK: The values

    func receive(subscription: any Subscription) {
        lock.lock()
        guard upstream.isAwaiting, outlet != nil else {
            lock.unlock()
            subscription.cancel()
            return
        }
        upstream = .connected(subscription)
        let demand = self.demand
        let isAnnounced = self.isAnnounced
        lock.unlock()
        if !isAnnounced {
            open()
        }
        if demand > .none {
            subscription.request(demand)
        }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        lock.lock()
        guard upstream.isConnected, isOpen, !isOver, let outlet else {
            lock.unlock()
            return .none
        }
        let entry = turn.enter()
        lock.unlock()
        let more = outlet.receive(input)
        lock.lock()
        turn.leave(entry)
        guard isOver else {
            lock.unlock()
            return more
        }
        endIfDueAndUnlock()
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        lock.lock()
        guard !isOver, outlet != nil else {
            lock.unlock()
            return
        }
        let ended = upstream
        upstream = .ended
        end = completion
        isOver = true
        endIfDueAndUnlock()
        withExtendedLifetime(ended) {}
    }

    // MARK: The other publisher

    private func receiveOther(subscription: any Subscription) {
        lock.lock()
        guard other.isAwaiting, outlet != nil else {
            lock.unlock()
            subscription.cancel()
            return
        }
        other = .connected(subscription)
        lock.unlock()
        subscription.request(.max(1))
    }

    private func trigger() {
        lock.lock()
        guard case .connected(let subscription) = other, !isOver, outlet != nil else {
            lock.unlock()
            return
        }
        other = .ended
        if endsWithTrigger {
            end = .finished
            isOver = true
            endIfDueAndUnlock()
        } else {
            isOpen = true
            lock.unlock()
        }
        subscription.cancel()
    }

    private func endOther(_ completion: () -> Void) {
        lock.lock()
        if other.isEnded {
            lock.unlock()
            return
        }
        let ended = other
        other = .ended
        lock.unlock()
        withExtendedLifetime(ended, completion)
    }

    /// The other publisher is over and has sent nothing, so that no value will ever pass.
    func finishUnopened(_ completion: Subscribers.Completion<Failure>) {
        lock.lock()
        guard !isOpen, !isOver, outlet != nil else {
            lock.unlock()
            return
        }
        end = completion
        isOver = true
        endIfDueAndUnlock()
    }

    /// Ends the stage where that is due, unless downstream is busy on another thread: that one then does it.
    private func endIfDueAndUnlock() {
        guard isOver, isAnnounced, let end, outlet != nil, turn.enter() != .refused else {
            lock.unlock()
            return
        }
        let released = lockedEnd()
        lock.unlock()
        released.upstream.subscription?.cancel()
        released.other.subscription?.cancel()
        released.outlet?.downstream.receive(completion: end)
    }

    // MARK: From downstream

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        lock.lock()
        switch upstream {
        case .awaiting:
            self.demand += demand
            lock.unlock()
        case .connected(let subscription) where !isOver:
            lock.unlock()
            subscription.request(demand)
        case .connected, .ended:
            lock.unlock()
        }
    }

    func cancel() {
        lock.lock()
        let released = lockedEnd()
        lock.unlock()
        released.upstream.subscription?.cancel()
        released.other.subscription?.cancel()
    }

    /// The caller lets go of what is returned outside of the lock.
    private func lockedEnd() -> (
        upstream: Connection, other: Connection, outlet: Outlet<Downstream>?, end: Subscribers.Completion<Failure>?
    ) {
        let released = (upstream, other, outlet, end)
        upstream = .ended
        other = .ended
        outlet = nil
        end = nil
        isOver = true
        return released
    }

    var description: String { String(describing: name) }

    var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    var playgroundDescription: Any { description }

    /// Subscribes to the other publisher.
    struct Trigger<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable,
        CustomPlaygroundDisplayConvertible
    {
        let stage: UntilOutputStage
        /// What to do where it is over.
        let ended: (Subscribers.Completion<Failure>) -> Void
        let combineIdentifier = CombineIdentifier()

        func receive(subscription: any Subscription) { stage.receiveOther(subscription: subscription) }

        func receive(_ input: Input) -> Subscribers.Demand {
            stage.trigger()
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) { stage.endOther { ended(completion) } }

        var description: String { stage.description }

        var customMirror: Mirror { stage.customMirror }

        var playgroundDescription: Any { description }
    }
}
