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
        case awaiting
        case connected(any Subscription)
        /// The first publisher has failed, and the handler is asked what comes next.
        case finishing
        case ended
    }

    @usableFromInline var state = State.awaiting
    /// The publisher that is listened to, or will be.
    @usableFromInline var part = Part.first
    @usableFromInline var demand = Subscribers.Demand.none

    @inlinable
    init() {}

    @inlinable
    mutating func receive(_ subscription: any Subscription, from part: Part) -> SubscriptionAction {
        guard part == self.part, case .awaiting = state else { return .cancel }
        state = .connected(subscription)
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

    /// Counts what a value of the first publisher asks for. Returns all that is asked for; or nil where that publisher has
    /// failed inside of the value: then it is not counted, but to be requested.
    @inlinable
    mutating func add(_ more: Subscribers.Demand) -> Subscribers.Demand? {
        guard part == .first else { return nil }
        demand += more
        return demand
    }

    /// The publisher has ended, and not with a failure that can be caught. Returns its subscription where downstream is to
    /// receive the completion.
    @inlinable
    mutating func end(_ part: Part) -> (any Subscription)? {
        guard part == self.part, case .connected(let subscription) = state else { return nil }
        state = .ended
        return subscription
    }

    /// The first publisher has failed. Returns its subscription where the handler is to be asked.
    @inlinable
    mutating func fail() -> (any Subscription)? {
        switch state {
        case .connected(let subscription) where part == .first:
            state = .finishing
            part = .second
            return subscription
        case .awaiting where part == .first, .ended:
            return nil
        case .awaiting, .connected, .finishing:
            misuse("A publisher must not fail twice.")
        }
    }

    /// The handler has answered. Returns false where downstream has cancelled in the meantime.
    @inlinable
    mutating func resume(withSecond isReplaced: Bool) -> Bool {
        guard case .finishing = state else { return false }
        state = isReplaced ? .awaiting : .ended
        return true
    }

    /// Returns the subscription to request from.
    @inlinable
    mutating func request(_ more: Subscribers.Demand) -> (any Subscription)? {
        switch state {
        case .awaiting, .finishing:
            demand += more
            return nil
        case .connected(let subscription):
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
        if part == .second, case .awaiting = state { return nil }
        guard case .connected(let subscription) = exchange(&state, with: .ended) else { return nil }
        return subscription
    }
}
