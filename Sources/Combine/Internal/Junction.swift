/// One way to make one stream of several: what has come and not gone yet, and what can go now. A value that neither
/// locks nor calls anybody.
protocol Confluence {
    associatedtype Output

    static var name: String { get }

    /// Whether a value downstream takes one from every inlet, so that all of them are asked for what downstream asks.
    /// Otherwise each value goes down by itself, and an inlet may be one value ahead of the demand.
    static var needsEveryInlet: Bool { get }

    init(inlets: Int)

    /// What is next to go down, and the inlet that it came from.
    mutating func next() -> (Output, inlet: Int)?

    /// Something else is on its way down: what the last value made possible waits for that, where there is demand.
    mutating func leave(demand: Subscribers.Demand)

    /// There is no demand for what the last value made possible.
    mutating func skip()

    /// An inlet has finished.
    mutating func finish(_ inlet: Int)

    /// Whether nothing can come any more, once all has gone that `next` returned.
    var isFinished: Bool { get }
}

extension Confluence {
    mutating func leave(demand: Subscribers.Demand) {}

    mutating func skip() {}
}

/// The stage where several upstreams meet: the subscription that downstream holds. `Flow` says what they make together;
/// here it is settled who is asked for what, in which order things go down, and what the end is.
final class Junction<Downstream: Subscriber, Flow: Confluence>: Subscription, CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Flow.Output {
    private enum Inlet {
        case awaiting
        case connected(any Subscription)
        case ended
    }

    private enum Phase {
        /// Downstream does not have its subscription yet.
        case opening
        case open
        case ended
    }

    private let lock = Lock()
    private var downstream: Downstream?
    private var flow: Flow
    private var inlets: ContiguousArray<Inlet>
    private var phase = Phase.opening
    private var turn = Turn()
    /// How many calls of downstream with a value are under way: more than one, where it sends from inside of them.
    private var depth = 0
    private var demand = Subscribers.Demand.none
    /// What was requested while downstream was busy with a value. It counts together with what that call returns.
    private var demandMeanwhile = Subscribers.Demand.none
    /// Whether it is worth asking the flow for its end.
    private var hasFinishedInlet: Bool
    private var failure: Downstream.Failure?

    init(_ downstream: Downstream, inlets: Int) {
        self.downstream = downstream
        self.flow = Flow(inlets: inlets)
        self.inlets = ContiguousArray(repeating: .awaiting, count: inlets)
        self.hasFinishedInlet = inlets == 0
    }

    /// Hands downstream its subscription, and then whatever end has come already.
    func open() {
        lock.lock()
        guard case .opening = phase, let downstream else {
            lock.unlock()
            return
        }
        phase = .open
        let entry = turn.enter()
        lock.unlock()
        downstream.receive(subscription: self)
        lock.lock()
        turn.leave(entry)
        _ = settleAndUnlock(origin: nil)
    }

    /// What is to subscribe to the upstream of this number. `store` takes a value into the flow, and may leave in its
    /// place what that replaced.
    func inlet<Input>(
        _ index: Int, store: @escaping (inout Flow, Int, inout Input?) -> Void
    ) -> JunctionInlet<Input, Downstream, Flow> {
        JunctionInlet(junction: self, index: index, store: store)
    }

    // MARK: From downstream

    func request(_ demand: Subscribers.Demand) {
        demand.requirePositive()
        lock.lock()
        guard case .open = phase else {
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

    func cancel() {
        lock.lock()
        let released = lockedEnd()
        lock.unlock()
        released.cancel()
    }

    // MARK: From upstream

    fileprivate func receive(subscription: any Subscription, at index: Int) {
        lock.lock()
        guard failure == nil, inlets.indices.contains(index), case .awaiting = inlets[index] else {
            lock.unlock()
            subscription.cancel()
            return
        }
        inlets[index] = .connected(subscription)
        let demand = Flow.needsEveryInlet || self.demand == .unlimited ? self.demand : .max(1)
        lock.unlock()
        if demand > .none {
            subscription.request(demand)
        }
    }

    @inline(__always)
    fileprivate func receive<Value>(
        _ value: Value, at index: Int, store: (inout Flow, Int, inout Value?) -> Void
    ) -> Subscribers.Demand {
        var slot: Value? = value
        lock.lock()
        guard failure == nil, inlets.indices.contains(index), case .connected = inlets[index] else {
            lock.unlock()
            return .none
        }
        store(&flow, index, &slot)
        let returned = settleAndUnlock(origin: index)
        // What the value replaced is let go of outside of the lock: it may run code when it goes.
        withExtendedLifetime(slot) {}
        return returned
    }

    fileprivate func receive(completion: Subscribers.Completion<Downstream.Failure>, at index: Int) {
        lock.lock()
        guard failure == nil, inlets.indices.contains(index) else {
            lock.unlock()
            return
        }
        let inlet = inlets[index]
        if case .ended = inlet {
            lock.unlock()
            return
        }
        inlets[index] = .ended
        switch completion {
        case .finished:
            hasFinishedInlet = true
            flow.finish(index)
        case .failure(let error):
            failure = error
        }
        withExtendedLifetime(inlet) {
            _ = settleAndUnlock(origin: nil)
        }
    }

    // MARK: What follows from it

    /// Sends down what can go, and the end where it has come. Returns what the inlet `origin`, whose call this is, may
    /// send more; the others are asked for it.
    private func settleAndUnlock(origin: Int?) -> Subscribers.Demand {
        guard case .open = phase else {
            flow.skip()
            lock.unlock()
            return .none
        }
        let entry = turn.enter()
        if entry != .first {
            flow.leave(demand: demand)
        }
        if entry == .refused {
            lock.unlock()
            return .none
        }
        var returned = Subscribers.Demand.none
        while demand > .none, let (output, inlet) = flow.next(), let downstream {
            demand -= 1
            depth += 1
            lock.unlock()
            let more = downstream.receive(output)
            lock.lock()
            depth -= 1
            let granted = more + demandMeanwhile
            demandMeanwhile = .none
            guard case .open = phase else {
                lock.unlock()
                return .none
            }
            let passed = lockedAdd(granted)
            if passed > .none {
                returned += passed
                lock.unlock()
                request(passed, except: origin)
                lock.lock()
            } else if !Flow.needsEveryInlet, demand != .unlimited {
                if inlet == origin {
                    returned += 1
                } else if case .connected(let subscription) = inlets[inlet] {
                    lock.unlock()
                    subscription.request(.max(1))
                    lock.lock()
                }
            }
            guard case .open = phase else {
                lock.unlock()
                return .none
            }
        }
        flow.skip()
        if let failure {
            endAndUnlock(.failure(failure))
            return .none
        }
        if hasFinishedInlet, flow.isFinished {
            endAndUnlock(.finished)
            return .none
        }
        turn.leave(entry)
        lock.unlock()
        return returned
    }

    /// Adds to the demand. Returns what of it has to be requested from the inlets.
    private func lockedAdd(_ more: Subscribers.Demand) -> Subscribers.Demand {
        guard more > .none else { return .none }
        let wasUnlimited = demand == .unlimited
        demand += more
        if Flow.needsEveryInlet { return more }
        return !wasUnlimited && demand == .unlimited ? .unlimited : .none
    }

    private func request(_ demand: Subscribers.Demand, except origin: Int?) {
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
            if index != origin, case .connected(let subscription) = inlet {
                subscription.request(demand)
            }
            index += 1
        }
    }

    private func endAndUnlock(_ completion: Subscribers.Completion<Downstream.Failure>) {
        let released = lockedEnd()
        lock.unlock()
        released.cancel()
        released.downstream?.receive(completion: completion)
    }

    /// All that the stage held, for the caller to let go of outside of the lock.
    private struct Released {
        let downstream: Downstream?
        let flow: Flow
        let inlets: ContiguousArray<Inlet>
        let failure: Downstream.Failure?

        func cancel() {
            for case .connected(let subscription) in inlets {
                subscription.cancel()
            }
        }
    }

    private func lockedEnd() -> Released {
        let released = Released(downstream: downstream, flow: flow, inlets: inlets, failure: failure)
        phase = .ended
        downstream = nil
        flow = Flow(inlets: 0)
        inlets = []
        failure = nil
        return released
    }

    var description: String { Flow.name }

    var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    var playgroundDescription: Any { description }
}

/// What subscribes to one of the upstreams that meet in a junction.
struct JunctionInlet<Input, Downstream: Subscriber, Flow: Confluence>: Subscriber, CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Flow.Output {
    typealias Failure = Downstream.Failure

    fileprivate let junction: Junction<Downstream, Flow>
    fileprivate let index: Int
    fileprivate let store: (inout Flow, Int, inout Input?) -> Void
    let combineIdentifier = CombineIdentifier()

    func receive(subscription: any Subscription) {
        junction.receive(subscription: subscription, at: index)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        junction.receive(input, at: index, store: store)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        junction.receive(completion: completion, at: index)
    }

    var description: String { Flow.name }

    var customMirror: Mirror {
        Mirror(self, children: CollectionOfOne<Mirror.Child>(("parentSubscription", junction.combineIdentifier)))
    }

    var playgroundDescription: Any { description }
}
