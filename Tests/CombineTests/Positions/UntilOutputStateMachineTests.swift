import Testing

@testable import Combine

@Suite struct DropUntilOutputStateMachineTests {
    private let upstream = ProbeSubscription()
    private let other = ProbeSubscription()

    private func connected(requesting demand: Subscribers.Demand = .unlimited) -> DropUntilOutputStateMachine {
        var machine = DropUntilOutputStateMachine()
        _ = machine.receiveOther(other)
        _ = machine.receive(upstream)
        _ = machine.request(demand)
        return machine
    }

    @Test func `The upstream is asked for what was requested before it came, the other for one value`() {
        var machine = DropUntilOutputStateMachine()
        #expect(machine.request(.max(2)) == nil)
        #expect(machine.receiveOther(other) == .request(.max(1)))
        #expect(machine.receiveOther(other) == .cancel)
        #expect(machine.receive(upstream) == .request(.max(2)))
        #expect(machine.receive(upstream) == .cancel)
        #expect(machine.request(.max(1)) === upstream)
    }

    @Test func `Values pass once the other has sent one`() {
        var machine = connected()
        #expect(machine.receiveValue() == false)
        #expect(machine.open().subscription === other)
        #expect(machine.receiveValue() == true)
    }

    @Test func `The upstream's end is told and cancels the other`() {
        var machine = connected()
        let action = machine.end()
        #expect(action.isTold)
        #expect(action.cancelled.subscription === other)
        #expect(action.ended.subscription === upstream)
    }

    @Test func `The other's end without a value is told and cancels the upstream`() {
        var machine = connected()
        let action = machine.endOther()
        #expect(action.isTold)
        #expect(action.cancelled.subscription === upstream)
        #expect(action.ended.subscription === other)
    }

    @Test func `The other's end after its value changes nothing`() {
        var machine = connected()
        _ = machine.open()
        #expect(!machine.endOther().isTold)
        #expect(machine.receiveValue() == true)
    }

    @Test func `As in Apple's, every completion is told, and another subscription is taken after it`() {
        var machine = connected()
        _ = machine.end()
        #expect(machine.end().isTold)
        #expect(machine.receive(upstream) == .request(.unlimited))
    }

    @Test func `Only to be cancelled is for good`() {
        var machine = connected()
        _ = machine.open()
        let cancelled = machine.cancel()
        #expect(cancelled.upstream.subscription === upstream)
        #expect(cancelled.other.subscription == nil)
        #expect(machine.receiveValue() == false)
        #expect(!machine.end().isTold)
        #expect(!machine.endOther().isTold)
        #expect(machine.receive(upstream) == .cancel)
        #expect(machine.receiveOther(other) == .cancel)
    }
}

@Suite struct PrefixUntilOutputStateMachineTests {
    private let upstream = ProbeSubscription()
    private let other = ProbeSubscription()

    private func connected() -> PrefixUntilOutputStateMachine {
        var machine = PrefixUntilOutputStateMachine()
        _ = machine.receiveOther(other)
        _ = machine.receive(upstream)
        return machine
    }

    @Test func `Each publisher has one subscription`() {
        var machine = PrefixUntilOutputStateMachine()
        #expect(machine.receiveOther(other) == .request(.max(1)))
        #expect(machine.receiveOther(other) == .cancel)
        #expect(machine.beginValue(on: 1) == nil)
        #expect(machine.receive(upstream) == .announce)
        #expect(machine.receive(upstream) == .cancel)
        #expect(machine.beginValue(on: 1) != nil)
    }

    @Test func `The other's value ends it, and cancels the upstream`() {
        var machine = connected()
        let action = machine.receiveOtherValue(on: 1)
        #expect(action.isTold)
        #expect(action.upstream.subscription === upstream)
        #expect(machine.beginValue(on: 1) == nil)
        #expect(!machine.receiveOtherValue(on: 1).isTold)
    }

    @Test func `The other's value from another thread waits for the value that downstream has`() throws {
        var machine = connected()
        let begun = machine.beginValue(on: 1)
        let entry = try #require(begun)
        let action = machine.receiveOtherValue(on: 2)
        #expect(!action.isTold)
        #expect(action.upstream.subscription === upstream)
        #expect(machine.endValue(entry) == true)
    }

    @Test func `Nothing is told after a cancel`() throws {
        var machine = connected()
        let begun = machine.beginValue(on: 1)
        let entry = try #require(begun)
        _ = machine.receiveOtherValue(on: 2)
        _ = machine.cancel()
        #expect(machine.endValue(entry) == false)
    }

    @Test func `The other's value from inside of a value ends it at once`() throws {
        var machine = connected()
        let begun = machine.beginValue(on: 1)
        let entry = try #require(begun)
        #expect(machine.receiveOtherValue(on: 1).isTold)
        #expect(machine.endValue(entry) == false)
    }

    @Test func `The other's end without a value changes nothing`() throws {
        var machine = connected()
        #expect(machine.endOther().subscription === other)
        #expect(machine.beginValue(on: 1) != nil)
        #expect(!machine.receiveOtherValue(on: 1).isTold)
    }

    @Test func `The end lets go of both`() {
        var machine = connected()
        let released = machine.end()
        #expect(released.upstream.subscription === upstream)
        #expect(released.other.subscription === other)
        #expect(machine.end().upstream.isEnded)
        #expect(machine.receive(upstream) == .cancel)
    }
}
