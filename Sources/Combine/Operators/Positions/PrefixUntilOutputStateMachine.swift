/// Where a `prefix(untilOutputFrom:)` stands with its two publishers.
///
/// As Apple's, it cancels the other publisher at the upstream's end but not where that has sent its value, the only one that
/// it was asked for.
struct PrefixUntilOutputStateMachine {
    /// What the end lets go of.
    typealias Released = (upstream: Connection, other: Connection)

    private(set) var upstream = Connection.awaiting
    private var other = Connection.awaiting
    private var calls = DownstreamCalls()

    mutating func receive(_ subscription: any Subscription) -> SubscriptionAction {
        guard upstream.isAwaiting else { return .cancel }
        upstream = .connected(subscription)
        return .announce
    }

    mutating func receiveOther(_ subscription: any Subscription) -> SubscriptionAction {
        guard other.isAwaiting else { return .cancel }
        other = .connected(subscription)
        return .request(.max(1))
    }

    /// Returns nil where the value does not go down, and else what `endValue` is given after that.
    mutating func beginValue(on thread: UInt) -> DownstreamCalls.Entry? {
        upstream.isConnected ? calls.begin(on: thread) : nil
    }

    /// Returns whether downstream receives the end.
    mutating func endValue(_ entry: DownstreamCalls.Entry) -> Bool {
        calls.end(entry)
    }

    /// The other publisher has sent its value. Returns what is to be cancelled, and whether downstream receives the end.
    mutating func receiveOtherValue(on thread: UInt) -> (upstream: Connection, isTold: Bool, other: Connection) {
        guard other.isConnected else { return (.ended, false, .ended) }
        let released = end()
        return (released.upstream, !released.upstream.isEnded && calls.finish(on: thread), released.other)
    }

    /// The other publisher has ended without its value. Returns what is over with that.
    mutating func endOther() -> Connection {
        other.end()
    }

    /// An end that has not been sent is not sent any more.
    mutating func cancel() -> Released {
        _ = calls.withdrawEnd()
        return end()
    }

    mutating func end() -> Released {
        (upstream.end(), other.end())
    }
}
