import Foundation
import KataSupport
import Synchronization
import Testing

@Suite(.ownProcess) struct ParallelTests {
    /// Each of the two tasks blocks its thread until the other one has arrived.
    @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
    func tasksRunAtTheSameTime() async throws {
        let arrived = KataSupport.Log<Int>()
        try await KataSupport.inParallel {
            for number in 0..<2 {
                Task {
                    arrived.record(number)
                    while arrived.events.count < 2 {}
                }
            }
            try await arrived.until(count: 2)
        }
    }

    @Test func afterwardsTasksTakeTurnsAgain() async throws {
        await KataSupport.inParallel { await Task.yield() }
        await KataSupport.settle()
        let history = KataSupport.Log<Int>()
        for number in 0..<10 {
            Task { history.record(number) }
        }
        await KataSupport.settle()
        #expect(history.events == Array(0..<10))
    }
}
