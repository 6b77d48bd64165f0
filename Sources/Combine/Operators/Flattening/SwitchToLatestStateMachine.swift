/// Which publisher is the latest, what it is asked for, in which order its values go down, and when the end is.
///
/// Values are known here by their number only; the stage keeps them.
struct SwitchToLatestStateMachine {
    private enum Phase {
        case connected
        /// The end is known, and goes down once all has gone that waits. Nothing that comes counts any more.
        case finishing
        case ended
    }

    /// What to do with a value. `next` says what comes then.
    enum ValueAction {
        case ignore
        /// Another thread has the turn, and sends it on.
        case keep
        case send
    }

    enum Action {
        /// Nothing is left to do.
        case rest
        case sendWaiting
        /// Cancel these, and send the end.
        case end(cancelling: [any Subscription])
    }

    private var phase = Phase.connected
    private(set) var publishers = Connection.awaiting
    /// The publisher that came last, or ended. Its number distinguishes it from those before, which may still be sending.
    private(set) var latest = Connection.ended
    private var number = 0
    private var demand = Subscribers.Demand.none
    private var turn = Turn()
    private var waitingCount = 0

    // MARK: From downstream

    /// Returns the subscription to request this from too.
    mutating func request(_ more: Subscribers.Demand) -> (any Subscription)? {
        demand += more
        return latest.subscription
    }

    /// Returns what to cancel.
    mutating func cancel() -> [any Subscription] {
        let subscriptions = [latest, publishers].compactMap(\.subscription)
        phase = .ended
        publishers = .ended
        latest = .ended
        waitingCount = 0
        return subscriptions
    }

    // MARK: The publishers that come

    /// Returns false where the subscription has to be cancelled.
    mutating func receive(subscription: any Subscription) -> Bool {
        guard phase == .connected, publishers.isAwaiting else { return false }
        publishers = .connected(subscription)
        return true
    }

    /// Returns the publisher's number, and what to cancel before it is subscribed to, or nil where it does not count.
    mutating func receivePublisher() -> (number: Int, previous: (any Subscription)?)? {
        guard phase == .connected, publishers.isConnected else { return nil }
        let previous = latest.subscription
        number += 1
        latest = .awaiting
        return (number, previous)
    }

    /// No more publishers come. Returns whether that is the end; `next` says what follows.
    mutating func receiveCompletion(isFailure: Bool) -> Bool {
        guard phase == .connected, !publishers.isEnded else { return false }
        publishers = .ended
        return finish(isFailure || latest.isEnded)
    }

    // MARK: The values of the latest

    /// Returns what to request, or nil where the subscription has to be cancelled.
    mutating func receive(subscription: any Subscription, from number: Int) -> Subscribers.Demand? {
        // As with Apple's, a publisher whose subscription is late is asked for values also after the failure.
        guard number == self.number, phase == .connected ? !latest.isConnected : latest.isAwaiting else { return nil }
        latest = .connected(subscription)
        return demand
    }

    @inline(__always)
    mutating func receiveValue(_ call: inout StageCall) -> ValueAction {
        guard phase == .connected, call.origin == number, !latest.isEnded else { return .ignore }
        if demand == .none {
            misuse("A publisher must not send more values than it was asked for.")
        }
        demand -= 1
        guard waitingCount == 0, turn.enter(&call) != .refused else {
            waitingCount += 1
            return .keep
        }
        return .send
    }

    /// Returns whether that is the end; `next` says what follows.
    mutating func receiveCompletion(isFailure: Bool, from number: Int) -> Bool {
        guard phase == .connected, number == self.number, !latest.isEnded else { return false }
        if latest.isAwaiting {
            misuse("A publisher must give its subscription before its completion.")
        }
        latest = .ended
        return finish(isFailure || publishers.isEnded)
    }

    // MARK: What follows from it

    /// Downstream has taken a value, and wants more. Returns the subscription to request that from, where it is not the one
    /// whose call this is. `next` says what comes then.
    @inline(__always)
    mutating func didSend(_ more: Subscribers.Demand, _ call: inout StageCall) -> (any Subscription)? {
        demand += more
        guard call.origin == number else { return latest.subscription }
        call.returned += more
        return nil
    }

    /// What waits goes down, and then the end where it has come. Where another thread has the turn, it does that.
    @inline(__always)
    mutating func next(_ call: inout StageCall) -> Action {
        guard waitingCount > 0 || phase == .finishing || call.entry != nil else { return .rest }
        let entry = turn.enter(&call)
        guard entry != .refused else { return .rest }
        if waitingCount > 0 {
            waitingCount -= 1
            return .sendWaiting
        }
        turn.leave(entry)
        guard phase == .finishing else { return .rest }
        let isAwaitingLatest = latest.isAwaiting
        let subscriptions = cancel()
        if isAwaitingLatest {
            latest = .awaiting
        }
        return .end(cancelling: subscriptions)
    }

    private mutating func finish(_ isEnd: Bool) -> Bool {
        if isEnd {
            phase = .finishing
        }
        return isEnd
    }
}
