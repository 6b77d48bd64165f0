import Testing

@testable import Combine

@Suite struct BufferStateMachineTests {
    private typealias Machine = BufferStateMachine<Int, Oops>

    private let upstream = ProbeSubscription()

    private func connected(
        size: Int = 2, whenFull: Publishers.BufferingStrategy<Oops> = .dropNewest,
        requesting demand: Subscribers.Demand = .none
    ) -> Machine {
        var machine = Machine(size: size, whenFull: whenFull)
        _ = machine.receive(upstream)
        _ = machine.request(demand)
        return machine
    }

    /// What is sent, until there is no more to be sent now.
    private func sent(by machine: inout Machine) -> [String] {
        var events: [String] = []
        while true {
            switch machine.next(adding: .none) {
            case .send(let value):
                events.append("\(value)")
            case .complete:
                return events + (machine.cancel().completion.map { ["\($0)"] } ?? [])
            case .stop:
                return events
            }
        }
    }

    @Test func `It takes one subscription`() {
        var machine = Machine(size: 1, whenFull: .dropNewest)
        #expect(machine.request(.max(1)) == nil)
        #expect(machine.receive(upstream) == true)
        #expect(machine.receive(upstream) == false)
        #expect(machine.request(.max(1)) === upstream)
    }

    @Test func `A value that was asked for goes down at once`() {
        var machine = connected(requesting: .max(1))
        guard case .send = machine.receive(1) else {
            Issue.record("It is sent.")
            return
        }
        #expect(machine.beginSending() == false)
        guard case .keep = machine.receive(2) else {
            Issue.record("It waits for the one that is being sent, and for demand.")
            return
        }
        guard case .send(2) = machine.next(adding: .max(1)) else {
            Issue.record("The subscriber has asked for one more.")
            return
        }
        guard case .stop = machine.next(adding: .none) else {
            Issue.record("There is no more.")
            return
        }
        #expect(machine.beginSending() == true)
    }

    @Test func `A full buffer drops the newest`() {
        var machine = connected()
        for value in 1...2 { _ = machine.receive(value) }
        guard case .ignore = machine.receive(3) else {
            Issue.record("There is no room.")
            return
        }
        #expect(Array(machine.values) == [1, 2])
    }

    @Test func `A full buffer drops the oldest`() {
        var machine = connected(whenFull: .dropOldest)
        for value in 1...2 { _ = machine.receive(value) }
        guard case .keep(lost: 1) = machine.receive(3) else {
            Issue.record("The first is lost.")
            return
        }
        #expect(Array(machine.values) == [2, 3])
    }

    @Test func `A buffer without room keeps nothing`() {
        var machine = connected(size: 0, whenFull: .dropOldest)
        guard case .keep(lost: nil) = machine.receive(1) else {
            Issue.record("There is nothing to lose.")
            return
        }
        #expect(machine.values.isEmpty)
    }

    @Test func `A full buffer fails, and what is kept goes before that while there is demand`() {
        var machine = connected(whenFull: .customError { Oops() })
        for value in 1...2 { _ = machine.receive(value) }
        guard case .fail = machine.receive(3) else {
            Issue.record("It fails.")
            return
        }
        #expect(machine.end(.failure(Oops())) == true)
        guard case .ignore = machine.receive(4) else {
            Issue.record("It has failed.")
            return
        }
        #expect(machine.request(.max(1)) === upstream)
        #expect(machine.beginSending() == true)
        #expect(sent(by: &machine) == ["1", "failure(oops)"])
        #expect(machine.subscription == nil)
    }

    @Test func `It finishes once everything has gone, and as in Apple's only with demand`() {
        var machine = connected()
        _ = machine.receive(1)
        #expect(machine.end(.finished) == true)
        #expect(machine.end(.finished) == false)
        #expect(machine.beginSending() == true)
        #expect(sent(by: &machine) == [])
        _ = machine.request(.max(1))
        #expect(sent(by: &machine) == ["1"])
        _ = machine.request(.max(1))
        #expect(sent(by: &machine) == ["finished"])
        #expect(sent(by: &machine) == [])
    }

    @Test func `As in Apple's, values are kept after the end has come and before it is sent`() {
        var machine = connected()
        _ = machine.end(.finished)
        _ = machine.receive(1)
        _ = machine.request(.max(2))
        #expect(sent(by: &machine) == ["1", "finished"])
    }

    @Test func `A cancel lets go of what is kept, and before the subscription does nothing`() {
        var machine = Machine(size: 1, whenFull: .dropNewest)
        _ = machine.cancel()
        #expect(machine.receive(upstream) == true)
        _ = machine.receive(1)
        let released = machine.cancel()
        #expect(released.subscription === upstream)
        #expect(Array(released.values) == [1])
        #expect(machine.values.isEmpty)
        #expect(machine.cancel().subscription == nil)
        guard case .ignore = machine.receive(2) else {
            Issue.record("It has ended.")
            return
        }
    }
}
