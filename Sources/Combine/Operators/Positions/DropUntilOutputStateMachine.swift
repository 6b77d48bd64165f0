/// Where a `drop(untilOutputFrom:)` stands with its two publishers.
///
/// Only to be cancelled is for good. Apple's, and so this one, passes every completion, that of the other publisher before
/// its value and that of the upstream, though the first should be the last; and a value that is dropped is not asked for
/// again.
struct DropUntilOutputStateMachine {
    /// What is done where one of the publishers has ended.
    struct EndAction {
        /// Whether downstream receives the completion.
        var isTold = false
        var cancelled = Connection.awaiting
        /// What is over already.
        var ended = Connection.awaiting
    }

    private var upstream = Connection.awaiting
    private var other = Connection.awaiting
    private var isOpen = false
    private var isCancelled = false
    /// What was requested and not dropped, until values pass.
    private var demand = Subscribers.Demand.none

    mutating func receive(_ subscription: any Subscription) -> SubscriptionAction {
        guard upstream.isAwaiting else { return .cancel }
        upstream = .connected(subscription)
        return .request(demand)
    }

    mutating func receiveOther(_ subscription: any Subscription) -> SubscriptionAction {
        guard other.isAwaiting else { return .cancel }
        other = .connected(subscription)
        return .request(.max(1))
    }

    /// Returns whether the value goes down.
    mutating func receiveValue() -> Bool {
        if isOpen || isCancelled { return !isCancelled }
        if demand == .none {
            misuse("A publisher must not send more values than it was asked for.")
        }
        demand -= 1
        return false
    }

    /// The other publisher has sent its value. Returns what is over with that.
    mutating func open() -> Connection {
        isOpen = true
        return other.reset()
    }

    mutating func end() -> EndAction {
        let isTold = !upstream.isEnded
        return EndAction(isTold: isTold, cancelled: other.reset(), ended: upstream.reset())
    }

    mutating func endOther() -> EndAction {
        guard !isOpen, !upstream.isEnded else { return EndAction(ended: other.reset()) }
        return EndAction(isTold: true, cancelled: upstream.reset(), ended: other.reset())
    }

    /// Returns the subscription to request from.
    mutating func request(_ more: Subscribers.Demand) -> (any Subscription)? {
        demand += more
        return upstream.subscription
    }

    /// Returns what is to be cancelled.
    mutating func cancel() -> (upstream: Connection, other: Connection) {
        isCancelled = true
        return (upstream.end(), other.end())
    }
}
