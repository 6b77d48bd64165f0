/// The stage where several upstreams meet: here it is settled who is asked for what, in which order things go down, and
/// when the end is. What the upstreams' values make together is up to the class that inherits from this one.
///
/// Nothing here depends on the type of a value: that would cost a search at run time for each of them.
class MultiUpstreamStageBase {
    final let lock = Lock()
    /// Whether a value downstream takes one from every upstream, so that all of them are asked for what downstream asks.
    /// Otherwise each value goes down by itself, and an upstream may be one value ahead of the demand.
    private final let needsEveryUpstream: Bool
    @exclusivity(unchecked) private final var upstreams: ContiguousArray<Connection>
    @exclusivity(unchecked) private final var phase = Phase.opening
    @exclusivity(unchecked) private final var turn = Turn()
    /// How many calls of downstream with a value are under way: more than one, where it sends from inside of them.
    @exclusivity(unchecked) private final var depth = 0
    @exclusivity(unchecked) private final var demand = Subscribers.Demand.none
    /// What was requested while downstream was busy with a value. It counts together with what that call returns.
    @exclusivity(unchecked) private final var demandMeanwhile = Subscribers.Demand.none
    /// Whether it is worth asking for the end.
    @exclusivity(unchecked) private final var mayBeOver: Bool
    @exclusivity(unchecked) private final var hasFailed = false

    private enum Phase {
        /// Downstream does not have its subscription yet.
        case opening
        case open
        case ended
    }

    init(upstreams: Int, needsEveryUpstream: Bool) {
        self.upstreams = ContiguousArray(repeating: .awaiting, count: upstreams)
        self.needsEveryUpstream = needsEveryUpstream
        mayBeOver = upstreams == 0
    }

    /// Whether values go down without demand, where upstreams send more than they were asked for.
    var ignoresDemand: Bool { false }

    /// Whether the upstream that fails is cancelled like the others.
    var cancelsFailedUpstream: Bool { false }

    // MARK: What is up to the others. All but the last two are called with the lock held.

    /// Whether something can go down.
    func hasNext() -> Bool { fatalError("Every stage says what goes down.") }

    /// Sends down what is next, and for that time unlocks. Returns what downstream wants more, and the upstream that the
    /// value came from.
    func sendNext() -> (more: Subscribers.Demand, upstream: Int) { fatalError("Every stage says what goes down.") }

    /// Something else is on its way down: what the last value made possible waits for that, where there is demand.
    func leave(demand: Subscribers.Demand) {}

    /// There is no demand for what the last value made possible.
    func skip() {}

    /// An upstream has finished.
    func finish(_ upstream: Int) { fatalError("Every stage says when it is over.") }

    /// Whether nothing can come any more, once all has gone that is next.
    func isOver() -> Bool { fatalError("Every stage says when it is over.") }

    /// Hands downstream its subscription.
    func announce() { fatalError("Every stage has a downstream.") }

    /// Lets go of downstream and of all values. With the lock, which this call unlocks; the end is sent where wanted.
    func emptyAndUnlock(sendsEnd: Bool, beforeEnd: () -> Void) { fatalError("Every stage has a downstream.") }

    // MARK: From downstream

    /// Hands downstream its subscription, and then whatever has come already.
    final func open() {
        lock.lock()
        guard phase == .opening else {
            lock.unlock()
            return
        }
        phase = .open
        let entry = turn.enter()
        lock.unlock()
        announce()
        lock.lock()
        turn.leave(entry)
        _ = settleAndUnlock(origin: nil)
    }

    final func request(_ demand: Subscribers.Demand) {
        if needsEveryUpstream {
            demand.requireSome()
        }
        guard demand > .none else { return }
        lock.lock()
        guard phase == .open else {
            lock.unlock()
            return
        }
        guard depth == 0 else {
            demandMeanwhile += demand
            lock.unlock()
            return
        }
        let passed = lockedAdd(demand)
        lock.unlock()
        request(passed, except: nil)
        lock.lock()
        _ = settleAndUnlock(origin: nil)
    }

    final func cancel() {
        lock.lock()
        endAndUnlock(sendsEnd: false)
    }

    // MARK: From upstream

    final func receive(subscription: any Subscription, at index: Int) {
        lock.lock()
        guard !hasFailed, phase != .ended, upstreams[index].isAwaiting else {
            lock.unlock()
            subscription.cancel()
            return
        }
        upstreams[index] = .connected(subscription)
        let demand = needsEveryUpstream || self.demand == .unlimited ? self.demand : .max(1)
        lock.unlock()
        if demand > .none {
            subscription.request(demand)
        }
    }

    /// Whether a value from this upstream counts. With the lock.
    @inline(__always)
    final func accepts(_ index: Int) -> Bool {
        !hasFailed && phase != .ended && upstreams[index].isConnected
    }

    /// An upstream is over. `fail` keeps the failure, where it is one, until it can be sent.
    final func end(_ index: Int, fail: (() -> Void)?) {
        lock.lock()
        guard !hasFailed, phase != .ended, !upstreams[index].isEnded else {
            lock.unlock()
            return
        }
        let upstream = upstreams[index]
        if fail == nil || !cancelsFailedUpstream {
            upstreams[index] = .ended
        }
        mayBeOver = true
        if let fail {
            hasFailed = true
            fail()
        } else {
            finish(index)
        }
        withExtendedLifetime(upstream) {
            _ = settleAndUnlock(origin: nil)
        }
    }

    // MARK: What follows from it

    /// Sends down what can go, and the end where it has come. Returns what the upstream `origin`, whose call this is, may
    /// send more; the others are asked for it.
    final func settleAndUnlock(origin: Int?) -> Subscribers.Demand {
        guard phase == .open else {
            skip()
            lock.unlock()
            return .none
        }
        let entry = turn.enter()
        if entry != .first {
            leave(demand: demand)
        }
        if entry == .refused {
            lock.unlock()
            return .none
        }
        return passOnAndUnlock(entry, origin: origin, returned: .none)
    }

    /// A value that need not wait for others goes down at once, where nothing hinders it. With the lock; where that
    /// returns nil, nothing has happened.
    @inline(__always)
    final func passAndUnlock(at index: Int, send: () -> Subscribers.Demand) -> Subscribers.Demand? {
        guard phase == .open, demand > .none, !hasNext() else { return nil }
        let entry = turn.enter()
        guard entry != .refused else { return nil }
        var returned = Subscribers.Demand.none
        demand -= 1
        depth += 1
        let more = send()
        guard isOpenAfter(sendingFrom: index, more: more, origin: index, returned: &returned) else {
            lock.unlock()
            return Subscribers.Demand.none
        }
        if entry == .first, !mayBeOver, !hasNext() {
            turn.leave(entry)
            lock.unlock()
            return returned
        }
        return passOnAndUnlock(entry, origin: index, returned: returned)
    }

    private final func passOnAndUnlock(
        _ entry: Turn.Entry, origin: Int?, returned: Subscribers.Demand
    ) -> Subscribers.Demand {
        var returned = returned
        while demand > .none || ignoresDemand, hasNext() {
            if demand > .none {
                demand -= 1
            }
            depth += 1
            let (more, upstream) = sendNext()
            guard isOpenAfter(sendingFrom: upstream, more: more, origin: origin, returned: &returned) else {
                lock.unlock()
                return .none
            }
        }
        skip()
        if mayBeOver, hasFailed || isOver() {
            endAndUnlock(sendsEnd: true)
            return .none
        }
        turn.leave(entry)
        lock.unlock()
        return returned
    }

    /// What follows when downstream has taken a value: who may send more. Returns false where all is over.
    private final func isOpenAfter(
        sendingFrom upstream: Int, more: Subscribers.Demand, origin: Int?, returned: inout Subscribers.Demand
    ) -> Bool {
        depth -= 1
        let granted = more + demandMeanwhile
        demandMeanwhile = .none
        guard phase == .open else { return false }
        let passed = lockedAdd(granted)
        if passed > .none {
            returned += passed
            lock.unlock()
            request(passed, except: origin)
            lock.lock()
        } else if !needsEveryUpstream, demand != .unlimited {
            if upstream == origin {
                returned += 1
            } else if let subscription = upstreams[upstream].subscription {
                lock.unlock()
                subscription.request(.max(1))
                lock.lock()
            }
        }
        return phase == .open
    }

    /// Adds to the demand. Returns what of it has to be requested from the upstreams.
    private final func lockedAdd(_ more: Subscribers.Demand) -> Subscribers.Demand {
        guard more > .none else { return .none }
        let wasUnlimited = demand == .unlimited
        demand += more
        if needsEveryUpstream { return more }
        return !wasUnlimited && demand == .unlimited ? .unlimited : .none
    }

    private final func request(_ demand: Subscribers.Demand, except origin: Int?) {
        guard demand > .none else { return }
        var index = 0
        while true {
            lock.lock()
            guard index < upstreams.count else {
                lock.unlock()
                return
            }
            let upstream = upstreams[index]
            lock.unlock()
            if index != origin {
                upstream.subscription?.request(demand)
            }
            index += 1
        }
    }

    private final func endAndUnlock(sendsEnd: Bool) {
        guard phase != .ended else {
            lock.unlock()
            return
        }
        phase = .ended
        let upstreams = self.upstreams
        self.upstreams = []
        emptyAndUnlock(sendsEnd: sendsEnd) {
            for upstream in upstreams {
                upstream.subscription?.cancel()
            }
        }
    }
}

/// A stage that leads to a subscriber of this type: the subscription that it holds.
class MultiUpstreamStage<Downstream: Subscriber>: MultiUpstreamStageBase, Subscription, StageDescription {
    private final let downstream: Downstream
    private final var failure: Downstream.Failure?

    init(_ downstream: Downstream, upstreams: Int, needsEveryUpstream: Bool) {
        self.downstream = downstream
        super.init(upstreams: upstreams, needsEveryUpstream: needsEveryUpstream)
    }

    /// Lets go of all values. Nobody else touches them any more.
    func empty() { fatalError("Every stage has values.") }

    /// Sends a value down, and for that time unlocks.
    @inline(__always)
    final func send(_ output: Downstream.Input) -> Subscribers.Demand {
        lock.unlock()
        let more = downstream.receive(output)
        lock.lock()
        return more
    }

    final func receive(completion: Subscribers.Completion<Downstream.Failure>, at index: Int) {
        switch completion {
        case .finished: end(index, fail: nil)
        case .failure(let error): end(index) { self.failure = error }
        }
    }

    override final func announce() {
        downstream.receive(subscription: self)
    }

    override final func emptyAndUnlock(sendsEnd: Bool, beforeEnd: () -> Void) {
        let failure = self.failure
        self.failure = nil
        lock.unlock()
        beforeEnd()
        empty()
        if sendsEnd {
            downstream.receive(completion: failure.map { .failure($0) } ?? .finished)
        }
    }

    var description: String { fatalError("Every stage has a name.") }
}
