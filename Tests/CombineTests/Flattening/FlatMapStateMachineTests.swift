import Testing

@testable import Combine

@Suite("flatMap, as a state machine")
struct FlatMapStateMachineTests {
    /// The machine, as a test drives it: by hand, and without threads.
    private final class Driven {
        typealias StateMachine = FlatMapStateMachine

        let upstream = ProbeSubscription()
        private var machine: StateMachine
        /// The call that the transitions belong to.
        var call = StageCall(on: 1)

        init(maxPublishers: Subscribers.Demand = .unlimited) {
            machine = StateMachine(maxPublishers: maxPublishers)
        }

        var initialDemand: Subscribers.Demand { machine.initialDemand }

        func connect() -> Bool { machine.receive(subscription: upstream) }

        func publisher() -> Bool { machine.receivePublisher() }

        func request(_ demand: Subscribers.Demand) -> StateMachine.RequestAction {
            call = StageCall(on: 1)
            return machine.request(demand)
        }

        func value(on thread: UInt = 1) -> StateMachine.ValueAction {
            call = StageCall(on: thread)
            return machine.receiveValue(&call)
        }

        func didSend(more: Subscribers.Demand = .none) -> StateMachine.RequestAction { machine.request(more) }

        func next() -> StateMachine.Action { machine.next(&call) }

        /// What follows when the upstream is over, or nil where that counts for nothing.
        func finish(isFailure: Bool = false, on thread: UInt = 1) -> StateMachine.Action? {
            call = StageCall(on: thread)
            return machine.receiveCompletion(isFailure: isFailure) ? next() : nil
        }

        /// Whether another publisher is requested, when one is over.
        func finishPublisher(isFailure: Bool = false) -> Bool {
            call = StageCall(on: 1)
            return machine.receivePublisherCompletion(isFailure: isFailure)
        }

        /// Whether nothing follows when the publisher is over whose value was sent.
        func finishPublisherAlone() -> Bool { machine.finishPublisherAlone(&call) }

        func end() -> Bool { machine.end() }
    }

    private func connected(
        publishers: Int = 1, demand: Subscribers.Demand = .unlimited, maxPublishers: Subscribers.Demand = .unlimited
    ) -> Driven {
        let machine = Driven(maxPublishers: maxPublishers)
        _ = machine.connect()
        for _ in 0..<publishers { _ = machine.publisher() }
        if demand > .none {
            _ = machine.request(demand)
        }
        return machine
    }

    // MARK: Awaiting

    @Test func `it takes one subscription, and makes no publisher before that`() {
        let machine = Driven()
        #expect(!machine.publisher())
        #expect(machine.connect())
        #expect(!machine.connect())
        #expect(machine.publisher())
    }

    // MARK: Connected

    @Test func `a publisher is asked for one value ahead, or for all where downstream wants all`() {
        #expect(connected(demand: .none).initialDemand == .max(1))
        #expect(connected(demand: .max(5)).initialDemand == .max(1))
        #expect(connected(demand: .unlimited).initialDemand == .unlimited)
    }

    @Test func `a value for which there is demand goes down at once, and its publisher is asked for another`() {
        let machine = connected(demand: .max(1))
        #expect(machine.value() == .send)
        #expect(machine.didSend() == .one)
        #expect(machine.next() == .rest)
    }

    @Test func `a value without demand waits for it`() {
        let machine = connected(demand: .none)
        #expect(machine.value() == .keep)
        #expect(machine.next() == .rest)
        #expect(machine.request(.max(1)) == .one)
        #expect(machine.next() == .sendWaiting)
        #expect(machine.didSend() == .one)
        #expect(machine.next() == .rest)
    }

    @Test func `no value overtakes one that waits`() {
        let machine = connected(publishers: 2, demand: .none)
        #expect(machine.value() == .keep)
        _ = machine.request(.max(2))
        #expect(machine.value() == .keep)
        #expect(machine.next() == .sendWaiting)
        #expect(machine.next() == .sendWaiting)
        #expect(machine.next() == .rest)
    }

    @Test func `demand that becomes unlimited is passed to all publishers, once`() {
        let machine = connected(publishers: 2, demand: .max(1))
        #expect(machine.value() == .send)
        #expect(machine.didSend(more: .unlimited) == .all)
        #expect(machine.request(.unlimited) == .none)
    }

    @Test func `a publisher that is over makes room for another, where their number is limited`() {
        #expect(connected(maxPublishers: .max(1)).finishPublisher())
        #expect(!connected(maxPublishers: .unlimited).finishPublisher())
    }

    @Test func `a value that comes while another thread has the turn waits for that one`() {
        let machine = connected(publishers: 2)
        #expect(machine.value(on: 1) == .send)
        let call = machine.call
        #expect(machine.value(on: 2) == .keep)
        #expect(machine.next() == .rest)
        machine.call = call
        _ = machine.didSend()
        #expect(machine.next() == .sendWaiting)
    }

    @Test func `nothing follows where a publisher of one value is over and another may come`() {
        let machine = connected()
        #expect(machine.value() == .send)
        _ = machine.didSend()
        #expect(machine.finishPublisherAlone())
        #expect(machine.finish() == .end)
    }

    @Test func `something may follow where another value waits, or the upstream is over or waits for room`() {
        let machine = connected(publishers: 2)
        #expect(machine.value(on: 1) == .send)
        let call = machine.call
        _ = machine.value(on: 2)
        machine.call = call
        #expect(!machine.finishPublisherAlone())

        let finishing = connected()
        _ = finishing.finish()
        #expect(finishing.value() == .send)
        #expect(!finishing.finishPublisherAlone())

        let limited = connected(maxPublishers: .max(1))
        #expect(limited.value() == .send)
        #expect(!limited.finishPublisherAlone())
    }

    // MARK: Finishing

    @Test func `it ends when the upstream and every publisher are over and nothing waits`() {
        let machine = connected(publishers: 2, demand: .none)
        _ = machine.value()
        #expect(machine.finish() == .rest)
        #expect(machine.finish() == nil)
        #expect(!machine.publisher())
        _ = machine.finishPublisher()
        #expect(machine.next() == .rest)
        _ = machine.finishPublisher()
        #expect(machine.next() == .rest)
        _ = machine.request(.max(1))
        #expect(machine.next() == .sendWaiting)
        _ = machine.didSend()
        #expect(machine.next() == .end)
    }

    @Test func `a failure of the upstream ends it, whatever waits`() {
        let machine = connected(demand: .none)
        _ = machine.value()
        #expect(machine.finish(isFailure: true) == .end)
    }

    @Test func `a failure of a publisher ends it, and makes no room for another`() {
        let machine = connected(publishers: 2, maxPublishers: .max(2))
        #expect(!machine.finishPublisher(isFailure: true))
        #expect(machine.next() == .end)
        #expect(machine.value() == .ignore)
    }

    @Test func `a failure that comes while another thread has the turn goes down after its value`() {
        let machine = connected()
        #expect(machine.value(on: 1) == .send)
        let call = machine.call
        #expect(machine.finish(isFailure: true, on: 2) == .rest)
        machine.call = call
        _ = machine.didSend()
        #expect(machine.next() == .end)
    }

    // MARK: Ended

    @Test func `the end comes once, and nothing counts any more`() {
        let machine = connected()
        #expect(machine.end())
        #expect(!machine.end())
        #expect(machine.value() == .ignore)
        #expect(machine.request(.max(1)) == .none)
        #expect(!machine.publisher())
        #expect(machine.finish() == nil)
        #expect(machine.next() == .rest)
    }
}
