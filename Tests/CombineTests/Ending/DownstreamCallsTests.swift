import Testing

@testable import Combine

@Suite struct DownstreamCallsTests {
    private var calls = DownstreamCalls()

    // Threads.
    private let a: UInt = 0x7f00_0000_0010
    private let b: UInt = 0xffff_ffff_ffff
    private let c: UInt = 1

    @Test mutating func `The end comes at once where there is no call`() {
        #expect(calls.finish(on: a) == true)
        let entry = calls.begin(on: a)
        #expect(calls.end(entry) == false)
        #expect(calls.finish(on: b) == true)
    }

    @Test mutating func `The end waits for a call of another thread`() {
        let first = calls.begin(on: a)
        #expect(calls.finish(on: b) == false)
        #expect(calls.endWaits)
        #expect(calls.end(first) == true)
        #expect(calls == DownstreamCalls())
    }

    @Test mutating func `A thread ends it from inside of its own calls`() {
        let outer = calls.begin(on: a)
        let inner = calls.begin(on: a)
        #expect(calls.finish(on: a) == true)
        #expect(calls.end(inner) == false)
        #expect(calls.end(outer) == false)
    }

    @Test mutating func `The end waits for the last of several calls, in whichever order they return`() {
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]] {
            let entries = [calls.begin(on: a), calls.begin(on: b), calls.begin(on: c)]
            #expect(calls.finish(on: b) == false)
            #expect(order.map { calls.end(entries[$0]) } == [false, false, true])
            #expect(calls == DownstreamCalls())
        }
    }

    @Test mutating func `What another thread's call is inside of is not over with it`() {
        let first = calls.begin(on: a)
        let outer = calls.begin(on: b)
        #expect(calls.end(first) == false)
        let inner = calls.begin(on: b)
        #expect(calls.finish(on: c) == false)
        #expect(calls.end(inner) == false)
        #expect(calls.end(outer) == true)
    }

    @Test mutating func `An end that is withdrawn does not come`() {
        let first = calls.begin(on: a)
        #expect(calls.withdrawEnd() == false)
        #expect(calls.finish(on: b) == false)
        #expect(calls.withdrawEnd() == true)
        #expect(calls.end(first) == false)
    }
}
