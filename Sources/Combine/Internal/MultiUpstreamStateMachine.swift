/// Several upstreams, one downstream: this decides what each upstream is asked for, in which order things go down, and when
/// the end is. `merge`, `zip` and `combineLatest` share it, and differ in a few rules.
///
/// It knows how many values there are, and the stage keeps them. Nothing here depends on their type: that would cost a
/// search at run time for each of them.
struct MultiUpstreamStateMachine {
    enum Rule {
        /// Each value goes down by itself, in the order in which they come. An upstream may be one value ahead of the demand.
        case merge
        /// One value of every upstream makes a combination, so that all of them are asked for what downstream asks. Where
        /// they send more than that, combinations go down without demand.
        case zip
        /// The latest value of every upstream makes a combination. One for which there is no demand is lost.
        case combineLatest
    }

    private enum Phase {
        /// Downstream does not have its subscription yet.
        case awaiting(hasFailed: Bool)
        case connected
        /// An upstream has failed. Nothing counts any more, and downstream is about to receive the failure.
        case finishing
        case ended
    }

    /// What to do with a value. `next` says what comes then.
    enum ValueAction {
        case ignore
        case keep
        /// It goes down at once, or the combination that it completes does.
        case send
        /// Keep it, and also the combination that it completes, which waits.
        case keepCombination
    }

    enum RequestAction: Equatable {
        case none
        /// Request this from every upstream but the one whose call this is.
        case all(Subscribers.Demand)
        /// Request one value from this upstream.
        case one(from: Int)
    }

    enum Action {
        /// Nothing is left to do.
        case rest
        case sendWaiting(from: Int)
        case sendCombination
        /// Cancel these, and send the end.
        case end(cancelling: [any Subscription])
    }

    /// An upstream, and how many values it has for a combination.
    private struct Upstream {
        enum Phase {
            case awaiting
            case connected
            case ended
        }

        var phase = Phase.awaiting
        var subscription: (any Subscription)?
        /// Its place in the order in which the upstreams gave their subscriptions, from 1.
        var place = 0
        var valueCount = 0

        /// It has nothing to combine, and will have nothing.
        var isExhausted: Bool { phase == .ended && valueCount == 0 }
    }

    private let rule: Rule
    private var phase = Phase.awaiting(hasFailed: false)
    private var upstreams: ContiguousArray<Upstream> = []
    private var unfinishedCount = 0
    /// How many upstreams have given their subscriptions.
    private(set) var connectedCount = 0
    /// How many upstreams have no value for a combination.
    private var missingCount = 0
    /// The upstreams of the values, or combinations, that wait.
    private var waiting = Queue<Int>()
    private var turn = Turn()
    /// How many calls of downstream with a value are under way: more than one, where it sends from inside of them.
    private var depth = 0
    private var demand = Subscribers.Demand.none
    /// What was requested while downstream was busy with a value. It counts together with what that call returns.
    private var demandMeanwhile = Subscribers.Demand.none

    init(_ rule: Rule) {
        self.rule = rule
    }

    /// Returns the place of the first of them.
    mutating func addUpstreams(_ count: Int) -> Int {
        upstreams.append(contentsOf: repeatElement(Upstream(), count: count))
        unfinishedCount += count
        missingCount += count
        return upstreams.count - count
    }

    var upstreamCount: Int { upstreams.count }

    /// The upstream's subscription, where it was among the first to come.
    func subscription(at index: Int, amongFirst count: Int = .max) -> (any Subscription)? {
        index < upstreams.count && upstreams[index].place <= count ? upstreams[index].subscription : nil
    }

    /// Whether downstream has its subscription, and not the end.
    private var isOpen: Bool {
        switch phase {
        case .connected, .finishing: true
        case .awaiting, .ended: false
        }
    }

    /// Whether what upstreams send counts.
    private var isReceiving: Bool {
        switch phase {
        case .connected, .awaiting(hasFailed: false): true
        case .finishing, .ended, .awaiting(hasFailed: true): false
        }
    }

    // MARK: From downstream

    /// Whether downstream gets its subscription now. `next` says what comes then.
    mutating func open(_ call: inout StageCall) -> Bool {
        guard case .awaiting(let hasFailed) = phase else { return false }
        phase = hasFailed ? .finishing : .connected
        _ = turn.enter(&call)
        return true
    }

    /// What to request; `next` says what comes then. Returns nil where downstream is busy with a value: what follows is
    /// then up to the call that sent it.
    mutating func request(_ more: Subscribers.Demand) -> RequestAction? {
        guard isOpen, more > .none else { return nil }
        guard depth == 0 else {
            demandMeanwhile += more
            return nil
        }
        let passed = add(more)
        return passed > .none ? .all(passed) : RequestAction.none
    }

    /// What has to be cancelled, or nil where all is over already.
    mutating func cancel() -> [any Subscription]? {
        if case .ended = phase { nil } else { end() }
    }

    // MARK: From upstream

    /// What to request from an upstream. Its subscription has to be cancelled where this returns nil.
    mutating func receive(subscription: any Subscription, at index: Int) -> Subscribers.Demand? {
        guard isReceiving, upstreams[index].phase == .awaiting else { return nil }
        upstreams[index].phase = .connected
        upstreams[index].subscription = subscription
        connectedCount += 1
        upstreams[index].place = connectedCount
        return rule != .merge || demand == .unlimited ? demand : .max(1)
    }

    @inline(__always)
    mutating func receiveValue(at index: Int, _ call: inout StageCall) -> ValueAction {
        guard isReceiving, upstreams[index].phase == .connected else { return .ignore }
        switch rule {
        case .merge:
            if demand > .none, isOpen, waiting.isEmpty, turn.enter(&call) != .refused {
                beginSending()
                return .send
            }
            waiting.append(index)
        case .zip:
            count(index)
        case .combineLatest:
            if upstreams[index].valueCount == 0 {
                count(index)
            }
            if missingCount == 0, isOpen, demand > waiting.count {
                if turn.enter(&call) == .first {
                    beginSending()
                    return .send
                }
                waiting.append(index)
                return .keepCombination
            }
        }
        return .keep
    }

    /// An upstream is over; `next` says what follows. Returns false where that counts for nothing.
    mutating func receiveCompletion(at index: Int, isFailure: Bool) -> Bool {
        guard isReceiving, upstreams[index].phase != .ended else { return false }
        if !isFailure {
            unfinishedCount -= 1
        } else if isOpen {
            phase = .finishing
        } else {
            phase = .awaiting(hasFailed: true)
        }
        upstreams[index].phase = .ended
        // As with Apple's, the upstream that fails is cancelled like the others where it is zipped.
        if !isFailure || rule != .zip {
            upstreams[index].subscription = nil
        }
        return true
    }

    // MARK: What follows from it

    /// Downstream has taken a value, and wants more. `next` says what comes then.
    @inline(__always)
    mutating func didSend(
        from upstream: Int, _ more: Subscribers.Demand, _ call: inout StageCall
    ) -> RequestAction {
        depth -= 1
        let granted = more + demandMeanwhile
        demandMeanwhile = .none
        guard isOpen else { return .none }
        let passed = add(granted)
        if passed > .none {
            call.returned += passed
            return .all(passed)
        }
        guard rule == .merge, demand != .unlimited else { return .none }
        if upstream != call.origin {
            return .one(from: upstream)
        }
        call.returned += 1
        return .none
    }

    /// What can go down goes, and then the end where it has come. Where another thread has the turn, it does that.
    @inline(__always)
    mutating func next(_ call: inout StageCall) -> Action {
        guard isOpen else {
            call.returned = .none
            return .rest
        }
        let entry = turn.enter(&call)
        guard entry != .refused else { return .rest }
        if demand > .none || rule == .zip {
            if !waiting.isEmpty, let upstream = waiting.popFirst() {
                beginSending()
                return .sendWaiting(from: upstream)
            }
            if rule == .zip, missingCount == 0 {
                beginSending()
                useValues()
                return .sendCombination
            }
        }
        if isOver {
            return .end(cancelling: end())
        }
        turn.leave(entry)
        return .rest
    }

    /// Whether nothing can go down any more, once all has gone that can.
    @inline(__always)
    private var isOver: Bool {
        guard isReceiving else { return true }
        guard unfinishedCount > 0 else { return waiting.isEmpty }
        // Where one upstream is over and has no value left, the values of the others can never be combined.
        return rule != .merge && unfinishedCount < upstreams.count && upstreams.contains { $0.isExhausted }
    }

    @inline(__always)
    private mutating func beginSending() {
        depth += 1
        if demand > .none {
            demand -= 1
        }
    }

    /// Adds to the demand. Returns what of it has to be requested from the upstreams.
    private mutating func add(_ more: Subscribers.Demand) -> Subscribers.Demand {
        let wasUnlimited = demand == .unlimited
        demand += more
        if rule != .merge { return more }
        return !wasUnlimited && demand == .unlimited ? .unlimited : .none
    }

    @inline(__always)
    private mutating func count(_ index: Int) {
        if upstreams[index].valueCount == 0 {
            missingCount -= 1
        }
        upstreams[index].valueCount += 1
    }

    /// A combination has one value of each upstream.
    private mutating func useValues() {
        for index in upstreams.indices {
            upstreams[index].valueCount -= 1
            if upstreams[index].valueCount == 0 {
                missingCount += 1
            }
        }
    }

    private mutating func end() -> [any Subscription] {
        let subscriptions = upstreams.compactMap(\.subscription)
        phase = .ended
        upstreams = []
        return subscriptions
    }
}
