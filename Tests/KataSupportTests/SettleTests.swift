import Foundation
import KataSupport
import Testing

/// `settle()` speaks of a whole process, and so do its tests.
@Suite(.ownProcess) struct SettleTests {
    @Test func waitsForAllThatIsReadyToRun() async throws {
        let done = KataSupport.Log<Int>()
        for number in 0..<20 {
            Task.detached {
                for _ in 0..<50 { await Task.yield() }
                done.record(number)
            }
        }
        await settle()
        #expect(done.events.count == 20)
    }

    @Test func waitsForAThreadThatIsHeldUp() async throws {
        let done = KataSupport.Log<String>()
        Task.detached {
            let end = Date(timeIntervalSinceNow: 0.05)
            while Date() < end {}
            done.record("done")
        }
        await settle()
        #expect(done.events == ["done"])
    }

    @Test func waitsForHopsThroughDispatch() async {
        let done = KataSupport.Log<String>()
        Task {
            for _ in 0..<5 {
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume() }
                }
            }
            done.record("done")
        }
        await settle()
        #expect(done.events == ["done"])
    }

    @Test func doesNotWaitForWhatWaitsForTheTest() async {
        let gate = KataSupport.Gate()
        let task = Task { try await gate.pass() }
        await settle()
        #expect(gate.waiting == 1)
        gate.open()
        _ = await task.result
    }

    @Test func endsAlthoughSomethingTurnsForEver() async {
        let task = Task.detached { while !Task.isCancelled { await Task.yield() } }
        await settle(limit: 500)
        task.cancel()
        await task.value
    }

    @Test func tasksTakeTurnsInTheOrderInWhichTheyBecameReady() async {
        let order = KataSupport.Log<Int>()
        await settle()
        for number in 0..<50 { Task.detached { order.record(number) } }
        await settle()
        #expect(order.events == Array(0..<50))
    }
}
