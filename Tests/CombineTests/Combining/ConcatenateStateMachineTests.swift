import Testing

@testable import Combine

@Suite struct ConcatenateStateMachineTests {
    private final class Suffix {}

    private let last = Suffix()
    private let prefix = ProbeSubscription()
    private let suffix = ProbeSubscription()

    private func connected(requesting demand: Subscribers.Demand = .none) -> ConcatenateStateMachine {
        var machine = ConcatenateStateMachine(suffix: last)
        _ = machine.receive(prefix, from: .prefix)
        _ = machine.request(demand)
        return machine
    }

    @Test func `The prefix comes first`() {
        var machine = ConcatenateStateMachine(suffix: last)
        #expect(machine.receive(suffix, from: .suffix) == .cancel)
        #expect(machine.receive(prefix, from: .prefix) == .announce)
        #expect(machine.receive(prefix, from: .prefix) == .cancel)
    }

    @Test func `The suffix is asked for what the prefix owes`() {
        var machine = connected(requesting: .max(3))
        #expect(machine.receiveValue(from: .prefix) == true)
        #expect(machine.receiveValue(from: .suffix) == false)
        guard case .subscribe(let next, after: let finished) = machine.end(.prefix, isFinished: true) else {
            Issue.record("The suffix is next.")
            return
        }
        #expect(next === last)
        #expect(finished === prefix)
        #expect(machine.receiveValue(from: .prefix) == false)
        #expect(machine.request(.max(1)) == nil)
        #expect(machine.receive(suffix, from: .suffix) == .request(.max(3)))
        #expect(machine.request(.max(1)) === suffix)
        #expect(machine.receiveValue(from: .suffix) == true)
    }

    @Test func `A value that was not asked for is dropped`() {
        var machine = connected(requesting: .max(1))
        #expect(machine.receiveValue(from: .prefix) == true)
        #expect(machine.receiveValue(from: .prefix) == false)
        #expect(machine.add(.max(1), from: .prefix) == true)
        #expect(machine.receiveValue(from: .prefix) == true)
    }

    @Test func `What a value of the prefix asks for after its end goes to the suffix`() {
        var machine = connected(requesting: .max(3))
        #expect(machine.receiveValue(from: .prefix) == true)
        _ = machine.end(.prefix, isFinished: true)
        #expect(machine.add(.max(1), from: .prefix) == false)
        #expect(machine.request(.max(1)) == nil)
        #expect(machine.receive(suffix, from: .suffix) == .request(.max(3)))
        #expect(machine.add(.max(2), from: .prefix) == false)
        #expect(machine.request(.max(2)) === suffix)
        #expect(machine.add(.max(1), from: .suffix) == true)
    }

    @Test func `Nothing follows a prefix that fails`() {
        var machine = connected()
        guard case .complete(let released) = machine.end(.prefix, isFinished: false) else {
            Issue.record("It ends.")
            return
        }
        #expect(released.subscription === prefix)
        #expect(released.suffix === last)
        #expect(machine.receive(suffix, from: .suffix) == .cancel)
    }

    @Test func `It ends with the suffix, once`() {
        var machine = connected()
        _ = machine.end(.prefix, isFinished: true)
        guard case .ignore = machine.end(.suffix, isFinished: true) else {
            Issue.record("The suffix has not begun.")
            return
        }
        _ = machine.receive(suffix, from: .suffix)
        guard case .complete(let released) = machine.end(.suffix, isFinished: true) else {
            Issue.record("It ends.")
            return
        }
        #expect(released.subscription === suffix)
        guard case .ignore = machine.end(.suffix, isFinished: false) else {
            Issue.record("It has ended.")
            return
        }
    }

    @Test func `A cancel lets go of the suffix as well`() {
        var machine = connected()
        let released = machine.cancel()
        #expect(released.subscription === prefix)
        #expect(released.suffix === last)
        #expect(machine.cancel().subscription == nil)
        #expect(machine.receive(prefix, from: .prefix) == .cancel)
    }
}
