import Dispatch
import Foundation

/// A scheduler may run what it is given on any thread, and on several at once; a subscriber receives one event at a time.
/// This is the base class of the stages that hand over to their downstream from scheduled actions.
///
/// No lock is held while the downstream is called. What another thread wants to send meanwhile waits and is
/// sent by the thread that calls the downstream; what the downstream itself causes is sent at once.
class ScheduledStage<Downstream: Subscriber>: Subscription {
    typealias Failure = Downstream.Failure

    enum Event {
        case value(Downstream.Input)
        case completion(Subscribers.Completion<Downstream.Failure>)
    }

    private enum Phase {
        case awaiting
        case connected(any Subscription)
        /// The upstream has ended, and the downstream has not received that yet. What it asks for with values that it still
        /// receives goes to a subscription that is over, as with Apple's.
        case finishing(any Subscription)
        case ended
    }

    /// Protects the stage's state and that of its subclasses.
    final let lock = Lock()
    private final var phase = Phase.awaiting
    private final var downstreamIfAny: Downstream?
    private final var tellingThread: pthread_t?
    private final var tellingDepth = 0
    private final var untold = Queue<Event>()

    init(_ downstream: Downstream) {
        downstreamIfAny = downstream
    }

    // MARK: For subclasses

    /// Whether a cancel counts before the subscription has come, and the end lets go of the downstream. Of Apple's, only
    /// `throttle` does so: with the others a subscription that comes later is taken, and who keeps a stage that is over
    /// keeps its downstream.
    var endsForGood: Bool { false }

    /// Whether a cancel counts while the completion is on its way. With Apple's `delay` and `receive(on:)` it does not.
    var canBeCancelledWhileFinishing: Bool { true }

    /// Gives away demand that the downstream has added while it received a value. Called without the lock.
    func add(_ demand: Subscribers.Demand) {
        lock { lastSubscriptionLocked }?.request(demand)
    }

    /// Asks for values. Called without the lock, by the downstream.
    func request(_ demand: Subscribers.Demand) {
        subscription?.request(demand)
    }

    /// Empties what the subclass holds at the end, with the lock held. What must be done without it is returned.
    func releaseLocked() -> (() -> Void)? { nil }

    /// The downstream, or nil after the end, as a mirror shows it.
    final var downstreamToShow: Any {
        let downstream = lock { downstreamIfAny }
        return downstream ?? downstream as Any
    }

    /// The upstream's subscription, until the upstream's end.
    final var subscription: (any Subscription)? { lock { subscriptionLocked } }

    final var subscriptionLocked: (any Subscription)? {
        guard case .connected(let subscription) = phase else { return nil }
        return subscription
    }

    private final var lastSubscriptionLocked: (any Subscription)? {
        switch phase {
        case .connected(let subscription), .finishing(let subscription): return subscription
        case .awaiting, .ended: return nil
        }
    }

    /// Whether the upstream may still send something.
    final var isConnectedLocked: Bool {
        guard case .connected = phase else { return false }
        return true
    }

    /// Whether the downstream may still receive events.
    final var isLiveLocked: Bool {
        switch phase {
        case .connected, .finishing: return true
        case .awaiting, .ended: return false
        }
    }

    final var isConnected: Bool { lock { isConnectedLocked } }

    /// Takes the upstream's subscription and hands the downstream its own; a second one is cancelled.
    final func connect(_ subscription: any Subscription) -> Bool {
        lock.lock()
        guard case .awaiting = phase, let downstream = downstreamIfAny else {
            lock.unlock()
            subscription.cancel()
            return false
        }
        phase = .connected(subscription)
        lock.unlock()
        downstream.receive(subscription: self)
        return true
    }

    /// Notes the upstream's end, and returns its subscription where there was one to end. It is let go of without the lock.
    final func finishUpstreamLocked() -> (any Subscription)? {
        guard case .connected(let subscription) = phase else { return nil }
        phase = .finishing(subscription)
        return subscription
    }

    /// Records the upstream's end. Returns false if it had ended already.
    final func finishUpstream() -> Bool {
        lock.lock()
        let released = finishUpstreamLocked()
        lock.unlock()
        return released != nil
    }

    /// Ends the upstream from this side, and tells the downstream.
    final func cancelUpstream(andTell completion: Subscribers.Completion<Failure>) {
        lock.lock()
        let released = finishUpstreamLocked()
        lock.unlock()
        guard let released else { return }
        released.cancel()
        tell(.completion(completion))
    }

    /// Tells the downstream, unless it is at its end.
    final func tell(_ event: Event) {
        tell { event }
    }

    /// Tells the downstream what the closure returns, unless it is at its end. The closure runs with the lock held.
    final func tell(_ next: () -> Event?) {
        let thread = pthread_self()
        lock.lock()
        guard isLiveLocked, let event = next() else {
            lock.unlock()
            return
        }
        guard tellingDepth == 0 || tellingThread == thread else {
            untold.append(event)
            lock.unlock()
            return
        }
        tellingThread = thread
        tellingDepth += 1
        tellLocked(event)
        while tellingDepth == 1, let event = untold.popFirst() {
            tellLocked(event)
        }
        tellingDepth -= 1
        lock.unlock()
    }

    /// Leaves the lock for as long as it tells, and returns with it held.
    private final func tellLocked(_ event: Event) {
        guard let downstream = downstreamIfAny else { return }
        switch event {
        case .value(let value):
            lock.unlock()
            let demand = downstream.receive(value)
            if demand > .none { add(demand) }
        case .completion(let completion):
            let released = endLocked()
            lock.unlock()
            released.action?()
            downstream.receive(completion: completion)
        }
        lock.lock()
    }

    final func cancel() {
        lock.lock()
        let counts: Bool
        switch phase {
        case .awaiting: counts = endsForGood
        case .finishing: counts = canBeCancelledWhileFinishing
        case .connected, .ended: counts = true
        }
        let released = counts ? endLocked() : Released()
        lock.unlock()
        released.action?()
        released.subscription?.cancel()
    }

    private struct Released {
        var subscription: (any Subscription)?
        var downstream: Downstream?
        var untold = Queue<Event>()
        var action: (() -> Void)?
    }

    /// Ends the stage. The caller lets go of what it held outside of the lock.
    private final func endLocked() -> Released {
        if case .ended = phase { return Released() }
        let released = Released(
            subscription: lastSubscriptionLocked, downstream: downstreamIfAny, untold: untold, action: releaseLocked())
        phase = .ended
        if endsForGood {
            downstreamIfAny = nil
        }
        untold = Queue()
        return released
    }
}
