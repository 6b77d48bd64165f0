/// Where a `catch` stands: which publisher it listens to, and what downstream asked for and has not got. The second
/// publisher is asked for exactly that.
@usableFromInline
struct CatchStateMachine {
    @usableFromInline
    enum Part {
        /// The publisher that may fail.
        case first
        /// The one that takes its place.
        case second
    }

    @usableFromInline
    enum State {
        case awaiting(Part)
        case connected(Part, any Subscription)
        /// The first publisher has failed, and the handler is asked what comes next.
        case finishing
        case ended
    }

    @usableFromInline var state = State.awaiting(.first)
    @usableFromInline var demand = Subscribers.Demand.none

    @inlinable
    init() {}

    @inlinable
    mutating func receive(_ subscription: any Subscription, from part: Part) -> SubscriptionAction {
        guard case .awaiting(part) = state else { return .cancel }
        state = .connected(part, subscription)
        return part == .first ? .announce : .request(demand)
    }

    /// Counts a value of the first publisher.
    @inlinable
    mutating func receiveValue() {
        if demand == .none {
            misuse("A publisher must not send more values than it was asked for.")
        }
        demand -= 1
    }

    /// Counts what downstream asks for. Returns whether there is no more to be counted.
    @inlinable
    mutating func add(_ more: Subscribers.Demand) -> Bool {
        demand += more
        return demand == .unlimited
    }

    /// The publisher has ended, and not with a failure that can be caught. Returns its subscription where downstream is to
    /// be told.
    @inlinable
    mutating func end(_ part: Part) -> (any Subscription)? {
        guard case .connected(part, let subscription) = state else { return nil }
        state = .ended
        return subscription
    }

    /// The first publisher has failed. Returns its subscription where the handler is to be asked.
    @inlinable
    mutating func fail() -> (any Subscription)? {
        switch state {
        case .connected(.first, let subscription):
            state = .finishing
            return subscription
        case .finishing, .awaiting(.second), .connected(.second, _):
            misuse("A publisher must not fail twice.")
        case .awaiting(.first), .ended:
            return nil
        }
    }

    /// The handler has answered. Returns false where downstream has cancelled meanwhile, and does not want to know.
    @inlinable
    mutating func resume(withSecond isReplaced: Bool) -> Bool {
        guard case .finishing = state else { return false }
        state = isReplaced ? .awaiting(.second) : .ended
        return true
    }

    /// Returns who is to be asked.
    @inlinable
    mutating func request(_ more: Subscribers.Demand) -> (any Subscription)? {
        switch state {
        case .awaiting, .finishing:
            demand += more
            return nil
        case .connected(_, let subscription):
            demand += more
            return subscription
        case .ended:
            return nil
        }
    }

    /// Returns what is to be cancelled. As in Apple's, this does nothing while the second publisher has not given its
    /// subscription.
    @inlinable
    mutating func cancel() -> (any Subscription)? {
        if case .awaiting(.second) = state { return nil }
        guard case .connected(_, let subscription) = exchange(&state, with: .ended) else { return nil }
        return subscription
    }
}
