import Testing

@testable import Combine

@Suite struct CollectByTimeStateMachineTests {
    private typealias Machine = CollectByTimeStateMachine<Int, Oops>

    private let timer = ProbeSubscription()

    /// It has received these values.
    private func received(
        _ values: Int..., count: Int? = nil, requesting demand: Subscribers.Demand = .unlimited
    ) -> Machine {
        var machine = Machine(count: count)
        _ = machine.add(demand)
        _ = machine.start(timer)
        for value in values { _ = machine.receive(value) }
        return machine
    }

    @Test func `What was collected is sent where it was asked for`() {
        var machine = received(1, 2, requesting: .max(1))
        #expect(machine.collected() == [1, 2])
        #expect(machine.collected() == nil)
        _ = machine.receive(3)
        #expect(machine.collected() == nil)
        _ = machine.add(.max(1))
        #expect(machine.collected() == [3])
    }

    @Test func `An array has at most so many values`() {
        var machine = received(1, count: 2)
        #expect(machine.receive(2) == true)
        #expect(machine.receive(3) == true)
        #expect(machine.collected() == [1, 2])
        #expect(machine.collected() == [3])
    }

    @Test func `The upstream is asked for so many values for each array`() {
        var machine = Machine(count: 3)
        #expect(machine.add(.max(2)) == .max(6))
        machine = Machine(count: nil)
        #expect(machine.add(.max(2)) == .unlimited)
    }

    @Test func `A full array is overdue once it is asked for, and others wait for their time`() {
        var machine = received(1, 2, count: 2, requesting: .none)
        guard case .wait = machine.overdue() else {
            Issue.record("It was not asked for.")
            return
        }
        _ = machine.add(.max(2))
        guard case .send = machine.overdue() else {
            Issue.record("It is asked for.")
            return
        }
        _ = machine.collected()
        _ = machine.receive(3)
        guard case .wait = machine.overdue() else {
            Issue.record("Its time has not come.")
            return
        }
    }

    @Test func `It finishes once nothing is left`() {
        var machine = received(1, requesting: .none)
        #expect(machine.finish(.finished).timer as? ProbeSubscription === timer)
        guard case .wait = machine.overdue() else {
            Issue.record("A value is left, and was not asked for.")
            return
        }
        _ = machine.add(.max(1))
        guard case .send = machine.overdue() else {
            Issue.record("The value is sent.")
            return
        }
        #expect(machine.collected() == [1])
        guard case .complete(.finished) = machine.overdue() else {
            Issue.record("Nothing is left.")
            return
        }
        guard case .wait = machine.overdue() else {
            Issue.record("It has ended.")
            return
        }
    }

    @Test func `A failure drops what was collected`() {
        var machine = received(1)
        #expect(machine.finish(.failure(Oops())).dropped == [1])
        guard case .complete(.failure) = machine.overdue() else {
            Issue.record("Nothing is left.")
            return
        }
    }

    @Test func `The end lets go of everything, and a timer that comes later is not kept`() {
        var machine = received(1)
        let released = machine.end()
        #expect(released.timer as? ProbeSubscription === timer)
        #expect(released.dropped == [1])
        #expect(machine.start(timer) == false)
        #expect(machine.receive(2) == false)
        #expect(machine.collected() == nil)
    }
}
