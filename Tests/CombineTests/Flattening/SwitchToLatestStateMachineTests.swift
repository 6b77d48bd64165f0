import Testing

@testable import Combine

@Suite("switchToLatest, as a state machine")
struct SwitchToLatestStateMachineTests {
    /// The machine, as a test drives it: by hand, and without threads.
    private final class Driven {
        typealias StateMachine = SwitchToLatestStateMachine

        let publishers = ProbeSubscription()
        private var machine = StateMachine()
        /// The call that the transitions belong to.
        var call = StageCall(on: 1)

        var returned: Subscribers.Demand { call.returned }

        func connect() -> Bool { machine.receive(subscription: publishers) }

        /// Another publisher comes, and gives its subscription.
        func publisher(_ subscription: ProbeSubscription = ProbeSubscription()) -> Int {
            guard let number = begin()?.number else { return 0 }
            _ = machine.receive(subscription: subscription, from: number)
            return number
        }

        /// Another publisher comes. Returns its number, and what is cancelled.
        func begin() -> (number: Int, previous: CombineIdentifier?)? {
            machine.receivePublisher().map { ($0.number, $0.previous?.combineIdentifier) }
        }

        func connect(_ number: Int, _ subscription: ProbeSubscription = ProbeSubscription()) -> Subscribers.Demand? {
            machine.receive(subscription: subscription, from: number)
        }

        /// Returns what that is requested from.
        func request(_ demand: Subscribers.Demand) -> CombineIdentifier? {
            machine.request(demand)?.combineIdentifier
        }

        func value(from number: Int, on thread: UInt = 1) -> StateMachine.ValueAction {
            call = StageCall(from: number, on: thread)
            return machine.receiveValue(&call)
        }

        /// Returns what more is requested from.
        func didSend(more: Subscribers.Demand = .none) -> CombineIdentifier? {
            machine.didSend(more, &call)?.combineIdentifier
        }

        func next() -> String {
            switch machine.next(&call) {
            case .rest: "rest"
            case .sendWaiting: "send what waits"
            case .end(let subscriptions): "end, cancelling \(subscriptions.count)"
            }
        }

        /// What follows when the publishers, or the one of this number, are over; nil where nothing does.
        func finish(_ number: Int? = nil, isFailure: Bool = false, on thread: UInt = 1) -> String? {
            call = StageCall(on: thread)
            let isEnd =
                number.map { machine.receiveCompletion(isFailure: isFailure, from: $0) }
                ?? machine.receiveCompletion(isFailure: isFailure)
            return isEnd ? next() : nil
        }

        func cancel() -> Int { machine.cancel().count }
    }

    private func connected(demand: Subscribers.Demand = .unlimited) -> Driven {
        let machine = Driven()
        _ = machine.connect()
        if demand > .none {
            _ = machine.request(demand)
        }
        return machine
    }

    // MARK: Awaiting

    @Test func `it takes one subscription, and no publisher before that`() {
        let machine = Driven()
        #expect(machine.begin() == nil)
        #expect(machine.connect())
        #expect(!machine.connect())
        #expect(machine.begin() != nil)
    }

    // MARK: Connected

    @Test func `a publisher is asked for what downstream still wants`() {
        let machine = connected(demand: .max(2))
        let first = machine.publisher()
        _ = machine.value(from: first)
        _ = machine.didSend()
        _ = machine.next()
        let second = machine.begin()?.number ?? 0
        #expect(machine.connect(second) == .max(1))
    }

    @Test func `a new publisher takes the place of the one before, which is cancelled`() {
        let machine = connected()
        let subscription = ProbeSubscription()
        let first = machine.publisher(subscription)
        #expect(machine.begin()?.previous == subscription.combineIdentifier)
        #expect(machine.value(from: first) == .ignore)
        #expect(machine.connect(first) == nil)
        #expect(machine.finish(first) == nil)
    }

    @Test func `a value goes down at once, and what downstream wants more is asked by what the call returns`() {
        let machine = connected(demand: .max(1))
        let number = machine.publisher()
        #expect(machine.value(from: number) == .send)
        #expect(machine.didSend(more: .max(2)) == nil)
        #expect(machine.next() == "rest")
        #expect(machine.returned == .max(2))
    }

    @Test func `where another publisher has come meanwhile, that one is asked`() {
        let machine = connected(demand: .max(1))
        let first = machine.publisher()
        #expect(machine.value(from: first) == .send)
        let subscription = ProbeSubscription()
        _ = machine.publisher(subscription)
        #expect(machine.didSend(more: .max(1)) == subscription.combineIdentifier)
        #expect(machine.returned == .none)
    }

    @Test func `demand without a publisher is for the next one`() {
        let machine = connected(demand: .none)
        #expect(machine.request(.max(3)) == nil)
        #expect(machine.connect(machine.begin()?.number ?? 0) == .max(3))
    }

    @Test func `a value that comes while another thread has the turn waits for that one`() {
        let machine = connected()
        let first = machine.publisher()
        #expect(machine.value(from: first, on: 1) == .send)
        let call = machine.call
        let second = machine.publisher()
        #expect(machine.value(from: second, on: 2) == .keep)
        #expect(machine.next() == "rest")
        machine.call = call
        _ = machine.didSend()
        #expect(machine.next() == "send what waits")
        _ = machine.didSend()
        #expect(machine.next() == "rest")
    }

    // MARK: Finishing

    @Test func `it ends when the publishers are over and then the latest is, or the other way round`() {
        let machine = connected()
        let number = machine.publisher()
        #expect(machine.finish() == nil)
        #expect(machine.value(from: number) == .send)
        _ = machine.next()
        #expect(machine.finish(number) == "end, cancelling 0")

        let other = connected()
        #expect(other.finish(other.publisher()) == nil)
        #expect(other.finish() == "end, cancelling 0")
    }

    @Test func `a failure of the latest ends it and cancels the publishers`() {
        let machine = connected()
        #expect(machine.finish(machine.publisher(), isFailure: true) == "end, cancelling 1")
    }

    @Test func `a failure of the publishers ends it and cancels the latest`() {
        let machine = connected()
        _ = machine.publisher()
        #expect(machine.finish(isFailure: true) == "end, cancelling 1")
    }

    @Test func `an end that comes while another thread has the turn waits for that one`() {
        let machine = connected()
        let number = machine.publisher()
        #expect(machine.value(from: number, on: 1) == .send)
        let call = machine.call
        #expect(machine.finish(isFailure: true, on: 2) == "rest")
        #expect(machine.value(from: number, on: 2) == .ignore)
        machine.call = call
        _ = machine.didSend()
        #expect(machine.next() == "end, cancelling 1")
    }

    // MARK: Ended

    @Test func `a cancel cancels both, once, and nothing counts any more`() {
        let machine = connected()
        let number = machine.publisher()
        #expect(machine.cancel() == 2)
        #expect(machine.cancel() == 0)
        #expect(machine.value(from: number) == .ignore)
        #expect(machine.begin() == nil)
        #expect(machine.finish() == nil)
    }
}
