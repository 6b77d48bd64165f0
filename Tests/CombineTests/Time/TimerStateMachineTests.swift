import Testing

@testable import Combine

@Suite struct TimerStateMachineTests {
    private let first = ProbeSubscription()
    private let second = ProbeSubscription()

    private func begun() -> (TimerStateMachine, UInt64) {
        var machine = TimerStateMachine()
        let number = machine.begin()?.number ?? 0
        return (machine, number)
    }

    @Test func `Another timer replaces the one that runs`() throws {
        var (machine, number) = begun()
        #expect(machine.keep(first, number: number) == true)
        let next = machine.begin()
        let (later, replaced) = try #require(next)
        #expect(replaced as? ProbeSubscription === first)
        #expect(machine.goOff(number).isLatest == false)
        #expect(machine.keep(second, number: later) == true)
        let end = machine.goOff(later)
        #expect(end.isLatest)
        #expect(end.timer as? ProbeSubscription === second)
    }

    @Test func `A timer that has gone off before it could be kept is not kept`() {
        var (machine, number) = begun()
        #expect(machine.goOff(number).isLatest == true)
        #expect(machine.keep(first, number: number) == false)
    }

    @Test func `A timer that was replaced before it could be kept is not kept`() {
        var (machine, number) = begun()
        _ = machine.begin()
        #expect(machine.keep(first, number: number) == false)
    }

    @Test func `A timer goes off once`() {
        var (machine, number) = begun()
        _ = machine.keep(first, number: number)
        _ = machine.goOff(number)
        #expect(machine.goOff(number).isLatest == false)
    }

    @Test func `Nothing begins or goes off after the end`() {
        var (machine, number) = begun()
        _ = machine.keep(first, number: number)
        #expect(machine.end() as? ProbeSubscription === first)
        #expect(machine.goOff(number).isLatest == false)
        #expect(machine.begin() == nil)
        #expect(machine.end() == nil)
    }
}

@Suite struct DebounceStateMachineTests {
    private let timer = ProbeSubscription()

    /// It has received these values.
    private func received(
        _ values: Int..., requesting demand: Subscribers.Demand = .unlimited
    ) -> (DebounceStateMachine<Int>, [UInt64]) {
        var machine = DebounceStateMachine<Int>()
        machine.add(demand)
        let numbers = values.compactMap { machine.receive($0)?.number }
        return (machine, numbers)
    }

    @Test func `A value is sent when its timer goes off`() {
        var (machine, numbers) = received(1)
        #expect(machine.keep(timer, number: numbers[0]) == true)
        let due = machine.goOff(numbers[0])
        #expect(due.sent == 1)
        #expect(due.timer as? ProbeSubscription === timer)
        #expect(machine.goOff(numbers[0]).sent == nil)
    }

    @Test func `A value that is overtaken is not sent`() {
        var (machine, numbers) = received(1, 2)
        #expect(machine.goOff(numbers[0]).sent == nil)
        #expect(machine.currentValue == 2)
        #expect(machine.goOff(numbers[1]).sent == 2)
    }

    @Test func `A value that is due and was not asked for is lost`() {
        var (machine, numbers) = received(1, requesting: .none)
        let due = machine.goOff(numbers[0])
        #expect(due.sent == nil)
        #expect(due.unsent == 1)
        machine.add(.max(1))
        #expect(machine.goOff(numbers[0]).sent == nil)
    }

    @Test func `Each value that is sent was asked for`() {
        var (machine, numbers) = received(1, requesting: .max(1))
        _ = machine.goOff(numbers[0])
        #expect(machine.demand == .none)
    }

    @Test func `The end gives up the value that waits`() {
        var (machine, numbers) = received(1)
        _ = machine.keep(timer, number: numbers[0])
        let released = machine.end()
        #expect(released.value == 1)
        #expect(released.timer as? ProbeSubscription === timer)
        #expect(machine.goOff(numbers[0]).sent == nil)
        #expect(machine.receive(2) == nil)
    }
}
