import Testing

@testable import Combine

@Suite("merge, as a state machine")
struct MergeStateMachineTests {
    // MARK: Awaiting

    @Test func `an upstream is asked for one value ahead, before and after downstream has its subscription`() {
        let merge = DrivenMultiUpstream(.merge)
        #expect(merge.connect(0) == .max(1))
        #expect(merge.open() == .rest)
        #expect(merge.connect(1) == .max(1))
    }

    @Test func `a second subscription is refused`() {
        let merge = DrivenMultiUpstream(connected: .merge, demand: .none)
        #expect(merge.connect(0) == nil)
    }

    @Test func `an upstream that comes late is asked for all, where downstream wants all`() {
        let merge = DrivenMultiUpstream(.merge)
        _ = merge.open()
        #expect(merge.request(.unlimited) == .all(.unlimited))
        #expect(merge.connect(0) == .unlimited)
    }

    @Test func `a value of an upstream that gave no subscription is ignored`() {
        let merge = DrivenMultiUpstream(.merge)
        _ = merge.open()
        #expect(merge.value(from: 0) == .ignore)
    }

    // MARK: Connected

    @Test func `a value goes down at once where there is demand, and its upstream may send another`() {
        let merge = DrivenMultiUpstream(connected: .merge, demand: .max(2))
        #expect(merge.value(from: 1) == .send)
        #expect(merge.didSend(from: 1) == .none)
        #expect(merge.next() == .rest)
        #expect(merge.returned == .max(1))
    }

    @Test func `a value without demand waits, and its upstream is asked for another once it has gone`() {
        let merge = DrivenMultiUpstream(connected: .merge, demand: .none)
        #expect(merge.value(from: 1) == .keep)
        #expect(merge.next() == .rest)
        #expect(merge.returned == .none)
        #expect(merge.request(.max(1)) == .some(.none))
        #expect(merge.next() == .sendWaiting(from: 1))
        #expect(merge.didSend(from: 1) == .one(from: 1))
        #expect(merge.next() == .rest)
    }

    @Test func `values wait in the order in which they came`() {
        let merge = DrivenMultiUpstream(connected: .merge, demand: .none)
        _ = merge.value(from: 1)
        _ = merge.value(from: 0)
        _ = merge.request(.max(2))
        #expect(merge.next() == .sendWaiting(from: 1))
        _ = merge.didSend(from: 1)
        #expect(merge.next() == .sendWaiting(from: 0))
        _ = merge.didSend(from: 0)
        #expect(merge.next() == .rest)
    }

    @Test func `demand that becomes unlimited is passed on, once`() {
        let merge = DrivenMultiUpstream(connected: .merge, demand: .max(1))
        #expect(merge.request(.unlimited) == .all(.unlimited))
        #expect(merge.request(.unlimited) == .some(.none))
    }

    @Test func `a value that makes the demand unlimited: its upstream hears of it by what the call returns`() {
        let merge = DrivenMultiUpstream(connected: .merge, demand: .max(1))
        #expect(merge.value(from: 0) == .send)
        #expect(merge.didSend(from: 0, more: .unlimited) == .all(.unlimited))
        #expect(merge.next() == .rest)
        #expect(merge.returned == .unlimited)
    }

    @Test func `what is requested while downstream is busy counts together with what that call returns`() {
        let merge = DrivenMultiUpstream(connected: .merge, demand: .max(1))
        #expect(merge.value(from: 0) == .send)
        let outer = merge.call
        #expect(merge.request(.max(1)) == nil)
        #expect(merge.value(from: 1) == .keep)
        #expect(merge.next() == .rest)
        merge.call = outer
        _ = merge.didSend(from: 0, more: .max(1))
        #expect(merge.next() == .sendWaiting(from: 1))
        _ = merge.didSend(from: 1)
        #expect(merge.value(from: 0) == .send)
    }

    // MARK: Two threads

    @Test func `a value that comes while another thread has the turn waits for that one`() {
        let merge = DrivenMultiUpstream(connected: .merge, demand: .unlimited)
        #expect(merge.value(from: 0, on: 1) == .send)
        let first = merge.call
        #expect(merge.value(from: 1, on: 2) == .keep)
        #expect(merge.next() == .rest)
        merge.call = first
        _ = merge.didSend(from: 0)
        #expect(merge.next() == .sendWaiting(from: 1))
        _ = merge.didSend(from: 1)
        #expect(merge.next() == .rest)
        #expect(merge.value(from: 1, on: 2) == .send)
    }

    @Test func `a value that comes from inside of another on the same thread goes down at once`() {
        let merge = DrivenMultiUpstream(connected: .merge, demand: .unlimited)
        #expect(merge.value(from: 0) == .send)
        #expect(merge.value(from: 1) == .send)
    }

    // MARK: Finishing

    @Test func `it ends when all upstreams have finished and nothing waits`() {
        let merge = DrivenMultiUpstream(connected: .merge, demand: .none)
        _ = merge.value(from: 0)
        #expect(merge.finish(0) == .rest)
        #expect(merge.finish(0) == nil)
        #expect(merge.finish(1) == .rest)
        _ = merge.request(.max(1))
        #expect(merge.next() == .sendWaiting(from: 0))
        _ = merge.didSend(from: 0)
        #expect(merge.next() == merge.end())
    }

    @Test func `a failure ends it at once and cancels the others, whatever waits`() {
        let merge = DrivenMultiUpstream(connected: .merge, demand: .none)
        _ = merge.value(from: 1)
        #expect(merge.fail(0) == merge.end(cancelling: 1))
    }

    @Test func `a failure that comes while another thread has the turn goes down after its value`() {
        let merge = DrivenMultiUpstream(connected: .merge, demand: .unlimited)
        #expect(merge.value(from: 0, on: 1) == .send)
        let first = merge.call
        #expect(merge.fail(1, on: 2) == .rest)
        #expect(merge.value(from: 0, on: 2) == .ignore)
        merge.call = first
        _ = merge.didSend(from: 0)
        #expect(merge.next() == merge.end(cancelling: 0))
    }

    @Test func `none at all end as soon as downstream has its subscription`() {
        let merge = DrivenMultiUpstream(.merge, upstreams: 0)
        #expect(merge.open() == merge.end())
    }

    // MARK: Ended

    @Test func `a cancel cancels every upstream, once, and nothing counts any more`() {
        let merge = DrivenMultiUpstream(connected: .merge, demand: .unlimited)
        #expect(merge.cancel()?.count == 2)
        #expect(merge.cancel() == nil)
        #expect(merge.value(from: 0) == .ignore)
        #expect(merge.finish(0) == nil)
        #expect(merge.request(.max(1)) == nil)
        #expect(merge.connect(1) == nil)
    }

    @Test func `a cancel from inside of a value: its upstream may send no more`() {
        let merge = DrivenMultiUpstream(connected: .merge, demand: .max(2))
        #expect(merge.value(from: 0) == .send)
        _ = merge.cancel()
        #expect(merge.didSend(from: 0, more: .max(3)) == .none)
        #expect(merge.next() == .rest)
        #expect(merge.returned == .none)
    }
}
