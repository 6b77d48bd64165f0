import Testing

@testable import Combine

@Suite struct ScheduledStateMachineTests {
    private typealias Machine = ScheduledStateMachine

    private final class Downstream {}

    private let upstream = ProbeSubscription()

    private func connected(endsForGood: Bool = false, canBeCancelledWhileFinishing: Bool = true) -> Machine {
        var machine = Machine(
            Downstream(), endsForGood: endsForGood, canBeCancelledWhileFinishing: canBeCancelledWhileFinishing)
        _ = machine.receive(upstream)
        return machine
    }

    /// An event that is known by the demand that it returns.
    private func event(_ number: Int) -> Machine.Event {
        .value { .max(number) }
    }

    /// The next value that is handed over; nil for a completion, and where there is nothing.
    private func nextValue(of machine: inout Machine, _ entry: Turn.Entry) -> Int? {
        guard case .value(let send) = machine.next(entry) else { return nil }
        return send().max
    }

    @Test func `It takes one subscription`() {
        var machine = Machine(Downstream())
        #expect(machine.append(event(1)) == false)
        #expect(machine.receive(upstream) == .announce)
        #expect(machine.receive(upstream) == .cancel)
        #expect(machine.subscription === upstream)
    }

    @Test func `An event is handed over once it is due, in the order in which they came`() throws {
        var machine = connected()
        for value in 1...2 { _ = machine.append(event(value)) }
        for value in 1...2 {
            let begun = machine.begin(on: 1)
            let entry = try #require(begun)
            #expect(nextValue(of: &machine, entry) == value)
            #expect(nextValue(of: &machine, entry) == nil)
        }
        #expect(machine.begin(on: 1) == nil)
    }

    @Test func `What another thread wants to hand over, the one that is at it hands over`() throws {
        var machine = connected()
        for value in 1...2 { _ = machine.append(event(value)) }
        let begun = machine.begin(on: 1)
        let entry = try #require(begun)
        #expect(nextValue(of: &machine, entry) == 1)
        #expect(machine.begin(on: 2) == nil)
        #expect(nextValue(of: &machine, entry) == 2)
        #expect(nextValue(of: &machine, entry) == nil)
    }

    @Test func `What is caused from inside of an event may be handed over at once`() throws {
        var machine = connected()
        for value in 1...2 { _ = machine.append(event(value)) }
        let begun = machine.begin(on: 1)
        let outer = try #require(begun)
        #expect(nextValue(of: &machine, outer) == 1)
        #expect(machine.begin(on: 1) == .again)
        #expect(nextValue(of: &machine, .again) == 2)
        #expect(nextValue(of: &machine, outer) == nil)
        #expect(machine.begin(on: 2) == nil)
    }

    @Test func `The end is told after the values before it, and asks of the subscription that is over until then`()
        throws
    {
        var machine = connected()
        _ = machine.append(event(1))
        #expect(machine.finish() === upstream)
        #expect(machine.finish() == nil)
        _ = machine.append(.completion {})
        #expect(machine.subscription == nil)
        #expect(machine.lastSubscription === upstream)
        _ = machine.begin(on: 1)
        #expect(nextValue(of: &machine, .first) == 1)
        _ = machine.begin(on: 1)
        guard case .completion = machine.next(.again) else {
            Issue.record("The end is next.")
            return
        }
        #expect(machine.end().isEnd)
        #expect(machine.lastSubscription == nil)
        #expect(machine.append(event(2)) == false)
    }

    @Test func `A cancel lets go of what waits`() {
        var machine = connected()
        _ = machine.append(event(1))
        let released = machine.cancel()
        #expect(released.subscription === upstream)
        #expect(released.events.count == 1)
        #expect(machine.begin(on: 1) == nil)
        #expect(machine.cancel().isEnd == false)
    }

    @Test(arguments: [true, false])
    func `A cancel before the subscription counts for some`(endsForGood: Bool) {
        var machine = Machine(Downstream(), endsForGood: endsForGood)
        #expect(machine.cancel().isEnd == endsForGood)
        #expect(machine.receive(upstream) == (endsForGood ? .cancel : .announce))
        _ = machine.cancel()
        #expect((machine.downstream == nil) == endsForGood)
    }

    @Test(arguments: [true, false])
    func `A cancel while the completion is on its way counts for some`(counts: Bool) {
        var machine = connected(canBeCancelledWhileFinishing: counts)
        _ = machine.finish()
        #expect(machine.cancel().isEnd == counts)
    }
}
