import Testing

@testable import Combine

@Suite struct RetryStateMachineTests {
    private final class End {}

    private typealias Machine = RetryStateMachine

    private let upstream = End()
    private let downstream = End()
    private let first = ProbeSubscription()
    private let second = ProbeSubscription()

    private func connected(retries: Int? = 1, requesting demand: Subscribers.Demand = .none) -> Machine {
        var machine = Machine(retries: retries, ends: .init(upstream: upstream, downstream: downstream))
        _ = machine.receive(first)
        _ = machine.request(demand)
        return machine
    }

    @Test func `The first subscription is announced, and later ones are asked for what is owed`() {
        var machine = Machine(retries: 1, ends: .init(upstream: upstream, downstream: downstream))
        #expect(machine.receive(first) == .announce)
        #expect(machine.receive(second) == .cancel)
        #expect(machine.request(.max(3)) === first)
        #expect(machine.receiveValue() === downstream)
        guard case .subscribe(let subscribed, after: let failed) = machine.fail() else {
            Issue.record("It tries again.")
            return
        }
        #expect(subscribed.upstream === upstream)
        #expect(failed === first)
        #expect(machine.request(.max(2)) == nil)
        #expect(machine.receive(second) == .request(.max(4)))
    }

    @Test func `A failure is passed on once there are no more attempts`() {
        var machine = connected(retries: 0)
        guard case .complete(let released) = machine.fail() else {
            Issue.record("It ends.")
            return
        }
        #expect(released.subscription === first)
        #expect(released.ends?.downstream === downstream)
        #expect(machine.receive(second) == .cancel)
        #expect(machine.receiveValue() == nil)
    }

    @Test func `Without a number it tries forever`() {
        var machine = connected(retries: nil)
        for _ in 1...100 {
            guard case .subscribe = machine.fail() else {
                Issue.record("It tries again.")
                return
            }
            #expect(machine.mustSubscribeAgain() == false)
            _ = machine.receive(first)
        }
    }

    @Test func `An attempt that fails while it is subscribed to is followed by another after that`() {
        var machine = connected(retries: 2)
        guard case .subscribe = machine.fail() else {
            Issue.record("It tries again.")
            return
        }
        _ = machine.receive(second)
        guard case .wait(let failed) = machine.fail() else {
            Issue.record("It does not subscribe from inside of subscribing.")
            return
        }
        #expect(failed === second)
        #expect(machine.mustSubscribeAgain() == true)
        #expect(machine.mustSubscribeAgain() == false)
    }

    @Test func `A failure before the subscription is ignored`() {
        var machine = Machine(retries: 1, ends: .init(upstream: upstream, downstream: downstream))
        guard case .ignore = machine.fail() else {
            Issue.record("Nothing happens.")
            return
        }
        #expect(machine.receive(first) == .announce)
    }

    @Test func `The end lets go of everything, and comes once`() {
        var machine = connected()
        let released = machine.end()
        #expect(released.subscription === first)
        #expect(released.ends?.downstream === downstream)
        let nothing = machine.end()
        #expect(nothing.subscription == nil)
        #expect(nothing.ends == nil)
        guard case .ignore = machine.fail() else {
            Issue.record("Nothing comes after the end.")
            return
        }
    }

    @Test func `Nothing is tried again after a cancel`() {
        var machine = connected(retries: 2)
        _ = machine.fail()
        _ = machine.receive(second)
        _ = machine.fail()
        _ = machine.end()
        #expect(machine.mustSubscribeAgain() == false)
    }
}
