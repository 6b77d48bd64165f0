import Testing

@testable import Combine

@Suite struct ThrottleStateMachineTests {
    private typealias Machine = ThrottleStateMachine<Int, Oops, Int>

    private func machine(latest: Bool = true, requesting demand: Subscribers.Demand = .unlimited) -> Machine {
        var machine = Machine(latest: latest)
        machine.add(demand)
        return machine
    }

    @Test(arguments: [(true, 3), (false, 1)])
    func `One of the values until the emission is sent`(latest: Bool, sent: Int) {
        var machine = machine(latest: latest)
        #expect(machine.receive(1).mustSchedule == true)
        #expect(machine.receive(2).overtaken == (latest ? 1 : 2))
        #expect(machine.receive(3).mustSchedule == false)
        #expect(machine.emit()?.value == sent)
        #expect(machine.didEmit(at: 0) == false)
        #expect(machine.receive(4).mustSchedule == true)
    }

    @Test func `What comes while a value is emitted needs an emission of its own after that`() {
        var machine = machine()
        _ = machine.receive(1)
        #expect(machine.emit()?.value == 1)
        #expect(machine.receive(2).mustSchedule == false)
        #expect(machine.didEmit(at: 0) == true)
        #expect(machine.emit()?.value == 2)
        #expect(machine.finish(.finished) == false)
        #expect(machine.didEmit(at: 1) == true)
        #expect(machine.emit()?.completion != nil)
        #expect(machine.didEmit(at: 2) == false)
    }

    @Test func `A value that was not asked for is lost also while another is emitted`() {
        var machine = machine(requesting: .max(1))
        _ = machine.receive(1)
        _ = machine.emit()
        #expect(machine.receive(2).overtaken == 2)
        #expect(machine.didEmit(at: 0) == false)
    }

    @Test func `A value that was not asked for is lost`() {
        var machine = machine(requesting: .max(1))
        _ = machine.receive(1)
        _ = machine.emit()
        _ = machine.didEmit(at: 0)
        let second = machine.receive(2)
        #expect(!second.mustSchedule)
        #expect(second.overtaken == 2)
    }

    @Test func `The values of one emission count as one`() {
        var machine = machine(requesting: .max(1))
        _ = machine.receive(1)
        _ = machine.receive(2)
        #expect(machine.emit()?.value == 2)
    }

    @Test func `The completion goes with the emission that is scheduled`() {
        var machine = machine()
        _ = machine.receive(1)
        #expect(machine.finish(.finished) == false)
        let last = machine.emit()
        #expect(last?.value == 1)
        #expect(last?.completion != nil)
        #expect(machine.emit() == nil)
    }

    @Test func `The completion needs an emission of its own where none is scheduled`() {
        var machine = machine()
        #expect(machine.finish(.failure(Oops())) == true)
        #expect(machine.finish(.finished) == false)
        #expect(machine.receive(1).mustSchedule == false)
        #expect(machine.emit()?.completion != nil)
    }

    @Test func `It knows when it has last emitted`() {
        var machine = machine()
        #expect(machine.lastEmission == nil)
        #expect(machine.didEmit(at: 7) == false)
        #expect(machine.lastEmission == 7)
    }

    @Test func `Nothing is emitted after the end`() {
        var machine = machine()
        _ = machine.receive(1)
        #expect(machine.end().value == 1)
        #expect(machine.emit() == nil)
        #expect(machine.receive(2).mustSchedule == false)
        #expect(machine.finish(.finished) == false)
    }
}
