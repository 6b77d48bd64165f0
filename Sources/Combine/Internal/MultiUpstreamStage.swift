/// The stage where several upstreams meet: it keeps the values and does what its state machine says, outside of the lock.
///
/// What every value needs comes first among the properties: its place is then known when the module is compiled, though
/// the types are not.
final class MultiUpstreamStage<Downstream: Subscriber>: Subscription, StageDescription {
    typealias StateMachine = MultiUpstreamStateMachine

    private let lock = Lock()
    @exclusivity(unchecked) private var state: StateMachine
    /// What cannot go down yet, in the order in which it came.
    @exclusivity(unchecked) private var waiting = Queue<Downstream.Input>()
    /// Makes a value of what is in the slots, each of which has one.
    @exclusivity(unchecked) private var combine: () -> Downstream.Input = {
        preconditionFailure("Nothing is combined.")
    }
    private let rule: StateMachine.Rule
    private var slots: [any ValueSlot] = []
    let description: String
    private let downstream: Downstream
    private var failure: Downstream.Failure?

    init(_ rule: StateMachine.Rule, _ description: String, _ downstream: Downstream) {
        state = StateMachine(rule)
        self.rule = rule
        self.description = description
        self.downstream = downstream
    }

    // MARK: Subscribing

    /// Hands downstream its subscription, and then everything that has come already.
    func open(combine: (() -> Downstream.Input)? = nil) {
        lock {
            if let combine {
                self.combine = combine
            }
            var call = StageCall()
            guard state.open(&call) else { return }
            lock.unlocked { downstream.receive(subscription: self) }
            settle(&call)
        }
    }

    /// Subscribes to a publisher whose values are combined with those of others. Returns where they are.
    func subscribe<P: Publisher>(to publisher: P) -> Slot<P.Output> where P.Failure == Downstream.Failure {
        let slot = Slot<P.Output>(hasOnlyLatest: rule == .combineLatest)
        slots.append(slot)
        let index = lock { state.addUpstreams(1) }
        publisher.subscribe(CombiningSubscriber(stage: self, index: index, slot: slot))
        return slot
    }

    /// Subscribes to publishers of one kind of value, each given as its method that does so.
    static func merge(_ publishers: [(MergingSubscriber<Downstream>) -> Void], into downstream: Downstream) {
        let stage = MultiUpstreamStage(.merge, "Merge", downstream)
        _ = stage.state.addUpstreams(publishers.count)
        stage.open()
        for (index, subscribe) in publishers.enumerated() {
            subscribe(MergingSubscriber(stage: stage, index: index))
        }
    }

    // MARK: From downstream

    func request(_ demand: Subscribers.Demand) {
        if rule != .merge {
            demand.requireSome()
        }
        lock {
            var call = StageCall()
            guard let action = state.request(demand) else { return }
            perform(action, call)
            settle(&call)
        }
    }

    func cancel() {
        guard let subscriptions = lock({ state.cancel() }) else { return }
        subscriptions.forEach { $0.cancel() }
        removeAll()
    }

    // MARK: From upstream

    func receive(subscription: any Subscription, at index: Int) {
        guard let demand = lock({ state.receive(subscription: subscription, at: index) }) else {
            subscription.cancel()
            return
        }
        if demand > .none {
            subscription.request(demand)
        }
    }

    /// A value that goes down by itself.
    func receive(_ input: Downstream.Input, at index: Int) -> Subscribers.Demand {
        lock.lock()
        var call = StageCall(from: index)
        switch state.receiveValue(at: index, &call) {
        case .ignore:
            break
        case .send:
            let more = lock.unlocked { downstream.receive(input) }
            perform(state.didSend(from: index, more, &call), call)
        case .keep, .keepCombination:
            waiting.append(input)
        }
        let returned = settle(&call)
        lock.unlock()
        return returned
    }

    /// A value that goes into a combination.
    func receive(at index: Int, store: () -> Void) -> Subscribers.Demand {
        lock.lock()
        var call = StageCall(from: index)
        switch state.receiveValue(at: index, &call) {
        case .ignore:
            break
        case .send:
            store()
            perform(state.didSend(from: index, send(combine()), &call), call)
        case .keep:
            store()
        case .keepCombination:
            store()
            waiting.append(combine())
        }
        let returned = settle(&call)
        lock.unlock()
        return returned
    }

    func receive(completion: Subscribers.Completion<Downstream.Failure>, at index: Int) {
        // The subscription is let go of outside of the lock: it may run code when it goes.
        _ = lock {
            let subscription = state.subscription(at: index)
            if state.receiveCompletion(at: index, isFailure: completion.failure != nil) {
                failure = completion.failure
                var call = StageCall()
                settle(&call)
            }
            return subscription
        }
    }

    // MARK: What follows from it. Each with the lock, which is open for what is done.

    /// Sends down what can go. Returns what the upstream whose call this is may send more.
    @discardableResult
    private func settle(_ call: inout StageCall) -> Subscribers.Demand {
        while true {
            switch state.next(&call) {
            case .rest:
                return call.returned
            case .sendWaiting(let upstream):
                perform(state.didSend(from: upstream, sendWaiting(), &call), call)
            case .sendCombination:
                perform(state.didSend(from: 0, send(combine()), &call), call)
            case .end(let subscriptions):
                lock.unlocked(with: consume subscriptions) { end(cancelling: $0) }
                return .none
            }
        }
    }

    private func perform(_ action: StateMachine.RequestAction, _ call: StageCall) {
        switch action {
        case .none:
            break
        case .all(let demand):
            // An upstream that connects during these calls is asked for the whole demand when it does.
            let count = state.connectedCount
            for index in 0..<state.upstreamCount where index != call.origin {
                request(demand, from: state.subscription(at: index, amongFirst: count))
            }
        case .one(let index):
            request(.max(1), from: state.subscription(at: index))
        }
    }

    private func request(_ demand: Subscribers.Demand, from subscription: consuming (any Subscription)?) {
        lock.unlocked(with: consume subscription) { $0?.request(demand) }
    }

    @inline(never)
    private func sendWaiting() -> Subscribers.Demand {
        guard let value = waiting.popFirst() else { preconditionFailure("A value has been lost.") }
        return send(consume value)
    }

    @inline(__always)
    private func send(_ value: consuming Downstream.Input) -> Subscribers.Demand {
        lock.unlocked(with: consume value) { downstream.receive($0) }
    }

    @inline(never)
    private func end(cancelling subscriptions: [any Subscription]) {
        let failure = self.failure
        subscriptions.forEach { $0.cancel() }
        removeAll()
        downstream.receive(completion: failure.map { .failure($0) } ?? .finished)
    }

    /// Lets go of all values. No other call uses them any more.
    private func removeAll() {
        failure = nil
        waiting = Queue()
        slots.forEach { $0.removeAll() }
    }
}

/// What subscribes to one of the upstreams.
protocol MultiUpstreamSubscriber: Subscriber, StageDescription where Failure == Downstream.Failure {
    associatedtype Downstream: Subscriber

    var stage: MultiUpstreamStage<Downstream> { get }
    var index: Int { get }
}

extension MultiUpstreamSubscriber {
    func receive(subscription: any Subscription) { stage.receive(subscription: subscription, at: index) }

    func receive(completion: Subscribers.Completion<Failure>) { stage.receive(completion: completion, at: index) }

    var description: String { stage.description }

    var mirrorChildren: [Mirror.Child] { [("parentSubscription", stage.combineIdentifier)] }
}

/// What subscribes where each value goes down by itself.
struct MergingSubscriber<Downstream: Subscriber>: MultiUpstreamSubscriber {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    let stage: MultiUpstreamStage<Downstream>
    let index: Int
    let combineIdentifier = CombineIdentifier()

    func receive(_ input: Input) -> Subscribers.Demand { stage.receive(input, at: index) }
}

/// What subscribes where values are combined.
struct CombiningSubscriber<Input, Downstream: Subscriber>: MultiUpstreamSubscriber {
    typealias Failure = Downstream.Failure

    let stage: MultiUpstreamStage<Downstream>
    let index: Int
    let slot: Slot<Input>
    let combineIdentifier = CombineIdentifier()

    func receive(_ input: Input) -> Subscribers.Demand {
        var value = input
        let returned = stage.receive(at: index) { slot.store(&value) }
        // What the value replaced is let go of outside of the lock: it may run code when it goes.
        withExtendedLifetime(value) {}
        return returned
    }
}
