/// How many publishers `flatMap` has, what they are asked for, in which order their values go down, and when the end is.
///
/// A publisher is asked for one value at a time, unless the demand is unlimited. A value without demand waits. So at most
/// one value of each publisher does. Values are known here by their number only; the stage keeps them.
@usableFromInline
struct FlatMapStateMachine {
    @usableFromInline
    enum Phase: Equatable {
        case awaiting
        case connected
        /// The upstream is over, or something has failed: then nothing counts any more.
        case finishing(hasFailed: Bool)
        case ended
    }

    /// What to do with a value. `next` says what comes then.
    @usableFromInline
    enum ValueAction {
        case ignore
        case keep
        case send
    }

    @usableFromInline
    enum RequestAction {
        /// All publishers have been asked for all.
        case none
        /// Request another value from the publisher whose value it was.
        case one
        /// Request all values from all publishers.
        case all
    }

    @usableFromInline
    enum Action {
        /// Nothing is left to do.
        case rest
        case sendWaiting
        /// Let go of everything, and send the end.
        case end
    }

    @usableFromInline let maxPublishers: Subscribers.Demand
    @usableFromInline var phase = Phase.awaiting
    @usableFromInline var upstream: (any Subscription)?
    @usableFromInline var demand = Subscribers.Demand.none
    @usableFromInline var turn = Turn()
    @usableFromInline var publisherCount = 0
    @usableFromInline var waitingCount = 0

    @inlinable
    init(maxPublishers: Subscribers.Demand) {
        self.maxPublishers = maxPublishers
    }

    /// What a publisher is asked for when it gives its subscription.
    @inlinable
    var initialDemand: Subscribers.Demand { demand == .unlimited ? .unlimited : .max(1) }

    @inlinable
    var isReceiving: Bool { phase == .connected || phase == .finishing(hasFailed: false) }

    // MARK: From downstream

    /// What to request from all publishers, once what waits has gone as far as it can.
    @inline(__always)
    @inlinable
    mutating func request(_ more: Subscribers.Demand) -> RequestAction {
        guard demand != .unlimited, phase != .ended else { return .none }
        demand += more
        return demand == .unlimited ? .all : .one
    }

    /// Returns false where it has ended already.
    @inlinable
    mutating func end() -> Bool {
        guard phase != .ended else { return false }
        phase = .ended
        upstream = nil
        return true
    }

    // MARK: From upstream

    /// Returns false where the subscription has to be cancelled.
    @inlinable
    mutating func receive(subscription: any Subscription) -> Bool {
        guard phase == .awaiting else { return false }
        phase = .connected
        upstream = subscription
        return true
    }

    /// Whether the upstream's value is made into a publisher.
    @inline(__always)
    @inlinable
    mutating func receivePublisher() -> Bool {
        guard phase == .connected else { return false }
        publisherCount += 1
        return true
    }

    /// Returns false where that counts for nothing. Otherwise `next` says what follows.
    @inlinable
    mutating func receiveCompletion(isFailure: Bool) -> Bool {
        guard phase == .awaiting || phase == .connected else { return false }
        phase = .finishing(hasFailed: isFailure)
        upstream = nil
        return true
    }

    // MARK: From the publishers

    @inline(__always)
    @inlinable
    mutating func receiveValue(_ call: inout StageCall) -> ValueAction {
        guard isReceiving else { return .ignore }
        guard demand > .none, waitingCount == 0, turn.enter(&call) != .refused else {
            waitingCount += 1
            return .keep
        }
        demand -= 1
        return .send
    }

    /// Returns whether another publisher is requested from the upstream; `next` says what follows.
    @inline(__always)
    @inlinable
    mutating func receivePublisherCompletion(isFailure: Bool) -> Bool {
        publisherCount -= 1
        guard isReceiving else { return false }
        if isFailure {
            // The upstream is cancelled at the end. Apple's leaves it running, and this is the one place where ours does
            // not do the same: what no subscriber can receive any more should not go on.
            phase = .finishing(hasFailed: true)
        }
        return !isFailure && maxPublishers != .unlimited
    }

    /// Most of the time nothing follows when a publisher is over that sent one value. Returns false where something may.
    @inline(__always)
    @inlinable
    mutating func finishPublisherAlone(_ call: inout StageCall) -> Bool {
        guard case .connected = phase, waitingCount == 0, maxPublishers == .unlimited, let entry = call.entry else {
            return false
        }
        publisherCount -= 1
        turn.leave(entry)
        return true
    }

    // MARK: What follows from it

    /// What waits and there is demand for goes down, and then the end, once upstream and every publisher have sent theirs
    /// and nothing waits. Where another thread has the turn, it does that.
    @inline(__always)
    @inlinable
    mutating func next(_ call: inout StageCall) -> Action {
        guard phase != .ended else { return .rest }
        let entry = turn.enter(&call)
        guard entry != .refused else { return .rest }
        if waitingCount > 0, demand > .none {
            waitingCount -= 1
            demand -= 1
            return .sendWaiting
        }
        if case .finishing(let hasFailed) = phase, hasFailed || publisherCount == 0 && waitingCount == 0 {
            return .end
        }
        turn.leave(entry)
        return .rest
    }
}
