import Testing

@testable import Combine

@Suite("combineLatest, as a state machine")
struct CombineLatestStateMachineTests {
    @Test func `nothing goes down until each upstream has a value`() {
        let latest = DrivenMultiUpstream(connected: .combineLatest, demand: .unlimited)
        #expect(latest.value(from: 0) == .keep)
        #expect(latest.next() == .rest)
        #expect(latest.value(from: 0) == .keep)
        #expect(latest.next() == .rest)
        #expect(latest.value(from: 1) == .send)
    }

    @Test func `from then on each value makes a combination, which goes down at once`() {
        let latest = DrivenMultiUpstream(connected: .combineLatest, demand: .unlimited)
        _ = latest.value(from: 0)
        for index in [1, 1, 0] {
            #expect(latest.value(from: index) == .send)
            #expect(latest.didSend() == .none)
            #expect(latest.next() == .rest)
        }
    }

    @Test func `a combination for which there is no demand is lost; its values go into the next one`() {
        let latest = DrivenMultiUpstream(connected: .combineLatest, demand: .none)
        _ = latest.value(from: 0)
        #expect(latest.value(from: 1) == .keep)
        #expect(latest.next() == .rest)
        #expect(latest.request(.max(1)) == .all(.max(1)))
        #expect(latest.next() == .rest)
        #expect(latest.value(from: 0) == .send)
    }

    @Test func `what comes while another thread has the turn is combined at once, and waits for that one`() {
        let latest = DrivenMultiUpstream(connected: .combineLatest, demand: .unlimited)
        _ = latest.value(from: 0, on: 1)
        #expect(latest.value(from: 1, on: 1) == .send)
        let first = latest.call
        for _ in 0..<2 {
            #expect(latest.value(from: 0, on: 2) == .keepCombination)
            #expect(latest.next() == .rest)
        }
        latest.call = first
        _ = latest.didSend()
        for _ in 0..<2 {
            #expect(latest.next() == .sendWaiting(from: 0))
            _ = latest.didSend()
        }
        #expect(latest.next() == .rest)
    }

    @Test func `no more combinations wait than there is demand for`() {
        let latest = DrivenMultiUpstream(connected: .combineLatest, demand: .max(2))
        _ = latest.value(from: 0, on: 1)
        #expect(latest.value(from: 1, on: 1) == .send)
        #expect(latest.value(from: 0, on: 2) == .keepCombination)
        #expect(latest.value(from: 0, on: 2) == .keep)
    }

    @Test func `what comes from inside of a combination goes down before that call returns`() {
        let latest = DrivenMultiUpstream(connected: .combineLatest, demand: .unlimited)
        _ = latest.value(from: 0)
        #expect(latest.value(from: 1) == .send)
        #expect(latest.value(from: 0) == .keepCombination)
        #expect(latest.next() == .sendWaiting(from: 0))
    }

    @Test func `it ends when all have finished`() {
        let latest = DrivenMultiUpstream(connected: .combineLatest, demand: .unlimited)
        _ = latest.value(from: 0)
        #expect(latest.finish(0) == .rest)
        _ = latest.value(from: 1)
        _ = latest.didSend()
        #expect(latest.next() == .rest)
        #expect(latest.finish(1) == latest.end())
    }

    @Test func `it ends when one has finished that never sent, and the others are cancelled`() {
        let latest = DrivenMultiUpstream(connected: .combineLatest, demand: .unlimited)
        #expect(latest.finish(0) == latest.end(cancelling: 1))
    }

    @Test func `a failure ends it at once and cancels the others`() {
        let latest = DrivenMultiUpstream(connected: .combineLatest, demand: .unlimited)
        #expect(latest.fail(1) == latest.end(cancelling: 0))
    }
}
