import Testing

@testable import Combine

@Suite struct CatchStateMachineTests {
    private let first = ProbeSubscription()
    private let second = ProbeSubscription()

    /// It has the first publisher's subscription.
    private func connected(requesting demand: Subscribers.Demand = .none) -> CatchStateMachine {
        var machine = CatchStateMachine()
        _ = machine.receive(first, from: .first)
        _ = machine.request(demand)
        return machine
    }

    /// The first publisher has failed, and the second has not given its subscription.
    private func awaitingSecond(requesting demand: Subscribers.Demand = .none) -> CatchStateMachine {
        var machine = connected(requesting: demand)
        _ = machine.fail()
        _ = machine.resume(withSecond: true)
        return machine
    }

    @Test func `The first subscription is announced, and another is cancelled`() {
        var machine = CatchStateMachine()
        #expect(machine.receive(second, from: .second) == .cancel)
        #expect(machine.receive(first, from: .first) == .announce)
        #expect(machine.receive(first, from: .first) == .cancel)
    }

    @Test func `The second is asked for what was requested and not received`() {
        var machine = connected(requesting: .max(3))
        machine.receiveValue()
        #expect(machine.add(.max(1)) == .max(3))
        machine.receiveValue()
        #expect(machine.fail() === first)
        #expect(machine.resume(withSecond: true) == true)
        #expect(machine.request(.max(5)) == nil)
        #expect(machine.receive(second, from: .first) == .cancel)
        #expect(machine.receive(second, from: .second) == .request(.max(7)))
        #expect(machine.request(.max(1)) === second)
    }

    @Test func `What a value of the first asks for after its failure goes to the second`() {
        var machine = connected(requesting: .max(3))
        machine.receiveValue()
        _ = machine.fail()
        #expect(machine.add(.max(1)) == nil)
        _ = machine.request(.max(1))
        _ = machine.resume(withSecond: true)
        #expect(machine.add(.max(1)) == nil)
        _ = machine.request(.max(1))
        #expect(machine.receive(second, from: .second) == .request(.max(4)))
        #expect(machine.add(.max(2)) == nil)
        #expect(machine.request(.max(2)) === second)
    }

    @Test func `Downstream is told of the end of the publisher that is listened to, once`() {
        var machine = connected()
        #expect(machine.end(.second) == nil)
        #expect(machine.end(.first) === first)
        #expect(machine.end(.first) == nil)
        machine = awaitingSecond()
        #expect(machine.end(.second) == nil)
        _ = machine.receive(second, from: .second)
        #expect(machine.end(.second) === second)
    }

    @Test func `A handler that fails ends it`() {
        var machine = connected()
        _ = machine.fail()
        #expect(machine.resume(withSecond: false) == true)
        #expect(machine.receive(second, from: .second) == .cancel)
        #expect(machine.request(.max(1)) == nil)
    }

    @Test(arguments: [true, false])
    func `A cancel while the handler is asked is not overwritten`(isReplaced: Bool) {
        var machine = connected()
        _ = machine.fail()
        #expect(machine.cancel() == nil)
        #expect(machine.resume(withSecond: isReplaced) == false)
        #expect(machine.receive(second, from: .second) == .cancel)
    }

    @Test func `A cancel reaches the publisher that is listened to`() {
        var machine = connected()
        #expect(machine.cancel() === first)
        #expect(machine.cancel() == nil)
        #expect(machine.fail() == nil)
        machine = awaitingSecond()
        _ = machine.receive(second, from: .second)
        #expect(machine.cancel() === second)
    }

    @Test func `As in Apple's, a cancel is forgotten while the second has not given its subscription`() {
        var machine = awaitingSecond(requesting: .max(2))
        #expect(machine.cancel() == nil)
        #expect(machine.receive(second, from: .second) == .request(.max(2)))
    }

    @Test func `A failure before the subscription is ignored`() {
        var machine = CatchStateMachine()
        #expect(machine.fail() == nil)
        #expect(machine.receive(first, from: .first) == .announce)
    }
}
