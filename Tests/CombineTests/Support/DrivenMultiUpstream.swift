@testable import Combine

/// The state machine of `merge`, `zip` or `combineLatest`, as a test drives it: by hand, and without threads. What a stage
/// would do outside of the lock is what each transition returns.
final class DrivenMultiUpstream {
    typealias StateMachine = MultiUpstreamStateMachine

    let subscriptions: [ProbeSubscription]
    private var machine: StateMachine
    /// The call that the transitions belong to.
    var call = StageCall(on: 1)

    init(_ rule: StateMachine.Rule, upstreams count: Int = 2) {
        machine = StateMachine(rule)
        _ = machine.addUpstreams(count)
        subscriptions = (0..<count).map { _ in ProbeSubscription() }
    }

    /// One that downstream and all upstreams are connected to.
    convenience init(connected rule: StateMachine.Rule, upstreams count: Int = 2, demand: Subscribers.Demand) {
        self.init(rule, upstreams: count)
        _ = open()
        for index in 0..<count { _ = connect(index) }
        if demand > .none {
            _ = request(demand)
        }
    }

    /// How many values its upstream may send more, by what this call returns.
    var returned: Subscribers.Demand { call.returned }

    // MARK: From downstream

    /// Downstream gets its subscription. Returns what follows.
    func open() -> StateMachine.Action? {
        call = StageCall(on: 1)
        return machine.open(&call) ? machine.next(&call) : nil
    }

    func request(_ demand: Subscribers.Demand, on thread: UInt = 1) -> StateMachine.RequestAction? {
        call = StageCall(on: thread)
        return machine.request(demand)
    }

    func cancel() -> [ObjectIdentifier]? {
        machine.cancel().map { $0.map { ObjectIdentifier($0 as AnyObject) } }
    }

    // MARK: From upstream

    func connect(_ index: Int) -> Subscribers.Demand? {
        machine.receive(subscription: subscriptions[index], at: index)
    }

    func value(from index: Int, on thread: UInt = 1) -> StateMachine.ValueAction {
        call = StageCall(from: index, on: thread)
        return machine.receiveValue(at: index, &call)
    }

    /// Returns what follows, or nil where the completion counts for nothing.
    func finish(_ index: Int) -> StateMachine.Action? {
        complete(index, isFailure: false)
    }

    /// Returns what follows, or nil where the completion counts for nothing.
    func fail(_ index: Int, on thread: UInt = 1) -> StateMachine.Action? {
        complete(index, isFailure: true, on: thread)
    }

    private func complete(_ index: Int, isFailure: Bool, on thread: UInt = 1) -> StateMachine.Action? {
        call = StageCall(on: thread)
        return machine.receiveCompletion(at: index, isFailure: isFailure) ? machine.next(&call) : nil
    }

    // MARK: What follows

    func didSend(from index: Int = 0, more: Subscribers.Demand = .none) -> StateMachine.RequestAction {
        machine.didSend(from: index, more, &call)
    }

    func next() -> StateMachine.Action {
        machine.next(&call)
    }

    /// The end, where the subscriptions to these upstreams are cancelled.
    func end(cancelling indices: Int...) -> StateMachine.Action {
        .end(cancelling: indices.map { subscriptions[$0] })
    }
}

extension MultiUpstreamStateMachine.Action: Equatable {
    public static func == (lhs: Self, rhs: Self) -> Bool {
        switch (lhs, rhs) {
        case (.rest, .rest), (.sendCombination, .sendCombination): true
        case (.sendWaiting(let upstream), .sendWaiting(let other)): upstream == other
        case (.end(let subscriptions), .end(let others)):
            subscriptions.map(\.combineIdentifier) == others.map(\.combineIdentifier)
        default: false
        }
    }
}
