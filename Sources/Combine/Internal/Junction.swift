/// The stage where several upstreams meet: here it is settled who is asked for what, in which order things go down, and
/// when the end is. What the upstreams' values make together is up to the class that inherits from this one.
///
/// Nothing here depends on the type of a value: that would cost a search at run time for each of them.
class Junction {
    final let lock = Lock()
    /// Whether a value downstream takes one from every inlet, so that all of them are asked for what downstream asks.
    /// Otherwise each value goes down by itself, and an inlet may be one value ahead of the demand.
    private final let needsEveryInlet: Bool
    private final var inlets: ContiguousArray<Connection>
    private final var phase = Phase.opening
    private final var turn = Turn()
    /// How many calls of downstream with a value are under way: more than one, where it sends from inside of them.
    private final var depth = 0
    private final var demand = Subscribers.Demand.none
    /// What was requested while downstream was busy with a value. It counts together with what that call returns.
    private final var demandMeanwhile = Subscribers.Demand.none
    /// Whether it is worth asking for the end.
    private final var mayBeOver: Bool
    private final var hasFailed = false

    private enum Phase {
        /// Downstream does not have its subscription yet.
        case opening
        case open
        case ended
    }

    init(inlets: Int, needsEveryInlet: Bool) {
        self.inlets = ContiguousArray(repeating: .awaiting, count: inlets)
        self.needsEveryInlet = needsEveryInlet
        mayBeOver = inlets == 0
    }

    // MARK: What is up to the others. All but the last two are called with the lock held.

    /// Whether something can go down.
    func hasNext() -> Bool { fatalError("Every junction says what goes down.") }

    /// Sends down what is next, and for that time unlocks. Returns what downstream wants more, and the inlet that the
    /// value came from.
    func sendNext() -> (more: Subscribers.Demand, inlet: Int) { fatalError("Every junction says what goes down.") }

    /// Something else is on its way down: what the last value made possible waits for that, where there is demand.
    func leave(demand: Subscribers.Demand) {}

    /// There is no demand for what the last value made possible.
    func skip() {}

    /// An inlet has finished.
    func finish(_ inlet: Int) { fatalError("Every junction says when it is over.") }

    /// Whether nothing can come any more, once all has gone that is next.
    func isOver() -> Bool { fatalError("Every junction says when it is over.") }

    /// Hands downstream its subscription.
    func announce() { fatalError("Every junction has a downstream.") }

    /// Lets go of downstream and of all values. With the lock, which this call unlocks; the end is sent where wanted.
    func emptyAndUnlock(sendsEnd: Bool, beforeEnd: () -> Void) { fatalError("Every junction has a downstream.") }

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
        guard !hasFailed, phase != .ended, inlets[index].isAwaiting else {
            lock.unlock()
            subscription.cancel()
            return
        }
        inlets[index] = .connected(subscription)
        let demand = needsEveryInlet || self.demand == .unlimited ? self.demand : .max(1)
        lock.unlock()
        if demand > .none {
            subscription.request(demand)
        }
    }

    /// Whether a value from this inlet counts. With the lock.
    @inline(__always)
    final func accepts(_ index: Int) -> Bool {
        !hasFailed && phase != .ended && inlets[index].isConnected
    }

    /// An inlet is over. `fail` keeps the failure, where it is one, until it can be sent.
    final func end(_ index: Int, fail: (() -> Void)?) {
        lock.lock()
        guard !hasFailed, phase != .ended, !inlets[index].isEnded else {
            lock.unlock()
            return
        }
        let inlet = inlets[index]
        inlets[index] = .ended
        mayBeOver = true
        if let fail {
            hasFailed = true
            fail()
        } else {
            finish(index)
        }
        withExtendedLifetime(inlet) {
            _ = settleAndUnlock(origin: nil)
        }
    }

    // MARK: What follows from it

    /// Sends down what can go, and the end where it has come. Returns what the inlet `origin`, whose call this is, may
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
        while demand > .none, hasNext() {
            demand -= 1
            depth += 1
            let (more, inlet) = sendNext()
            guard isOpenAfter(sendingFrom: inlet, more: more, origin: origin, returned: &returned) else {
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
        sendingFrom inlet: Int, more: Subscribers.Demand, origin: Int?, returned: inout Subscribers.Demand
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
        } else if !needsEveryInlet, demand != .unlimited {
            if inlet == origin {
                returned += 1
            } else if let subscription = inlets[inlet].subscription {
                lock.unlock()
                subscription.request(.max(1))
                lock.lock()
            }
        }
        return phase == .open
    }

    /// Adds to the demand. Returns what of it has to be requested from the inlets.
    private final func lockedAdd(_ more: Subscribers.Demand) -> Subscribers.Demand {
        guard more > .none else { return .none }
        let wasUnlimited = demand == .unlimited
        demand += more
        if needsEveryInlet { return more }
        return !wasUnlimited && demand == .unlimited ? .unlimited : .none
    }

    private final func request(_ demand: Subscribers.Demand, except origin: Int?) {
        guard demand > .none else { return }
        var index = 0
        while true {
            lock.lock()
            guard index < inlets.count else {
                lock.unlock()
                return
            }
            let inlet = inlets[index]
            lock.unlock()
            if index != origin {
                inlet.subscription?.request(demand)
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
        let inlets = self.inlets
        self.inlets = []
        emptyAndUnlock(sendsEnd: sendsEnd) {
            for inlet in inlets {
                inlet.subscription?.cancel()
            }
        }
    }
}

/// A junction that leads to a subscriber of this type: the subscription that it holds.
class JunctionTo<Downstream: Subscriber>: Junction, Subscription, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible
{
    private final var outlet: Outlet<Downstream>?
    private final var failure: Downstream.Failure?

    init(_ downstream: Downstream, inlets: Int, needsEveryInlet: Bool) {
        outlet = Outlet(downstream)
        super.init(inlets: inlets, needsEveryInlet: needsEveryInlet)
    }

    /// Lets go of all values. Nobody else touches them any more.
    func empty() { fatalError("Every junction has values.") }

    /// Sends a value down, and for that time unlocks.
    @inline(__always)
    final func send(_ output: Downstream.Input) -> Subscribers.Demand {
        let outlet = self.outlet
        lock.unlock()
        let more = outlet?.receive(output) ?? .none
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
        outlet?.downstream.receive(subscription: self)
    }

    override final func emptyAndUnlock(sendsEnd: Bool, beforeEnd: () -> Void) {
        let outlet = self.outlet
        let failure = self.failure
        self.outlet = nil
        self.failure = nil
        lock.unlock()
        beforeEnd()
        empty()
        if sendsEnd {
            outlet?.downstream.receive(completion: failure.map { .failure($0) } ?? .finished)
        }
    }

    var description: String { fatalError("Every junction has a name.") }

    final var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    final var playgroundDescription: Any { description }
}
