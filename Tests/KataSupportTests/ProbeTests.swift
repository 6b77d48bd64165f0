import KataSupport
import Testing

@Suite(.ownProcess) struct ProbeTests {
    @Test func aGateHoldsBackUntilItIsOpened() async throws {
        let gate = KataSupport.Gate()
        let log = KataSupport.Log<String>()
        let task = Task {
            try await gate.pass()
            log.record("through")
        }
        try await gate.untilWaiting(atLeast: 1)
        #expect(log.events.isEmpty)
        gate.open()
        try await log.until(count: 1)
        #expect(gate.waiting == 0)
        try await task.value
        try await gate.pass()
    }

    @Test func aGateLetsGoOfACancelledTask() async throws {
        let gate = KataSupport.Gate()
        let task = Task { try await gate.pass() }
        try await gate.untilWaiting(atLeast: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(gate.waiting == 0)
    }

    @Test func workThatIgnoresCancellationStaysAtTheGate() async throws {
        let gate = KataSupport.Gate()
        let task = Task { await gate.passEvenIfCancelled() }
        try await gate.untilWaiting(atLeast: 1)
        task.cancel()
        await settle()
        #expect(gate.waiting == 1)
        gate.open()
        await task.value
    }

    @Test func aCancellationProbeTellsItsStartAndItsCancellation() async throws {
        let probe = KataSupport.CancellationProbe()
        let task = Task { try await probe.run() }
        try await probe.started()
        #expect(!probe.isCancelled)
        task.cancel()
        try await probe.cancelled()
        #expect(probe.starts == 1)
    }

    @Test func aCancellationProbeThatFinishesWasNotCancelled() async throws {
        let probe = KataSupport.CancellationProbe()
        let task = Task { try await probe.run() }
        try await probe.started()
        probe.finish()
        try await task.value
        #expect(!probe.isCancelled)
    }

    @Test func aLeakProbeWaitsForTheLastToken() async throws {
        let probe = KataSupport.LeakProbe()
        let gate = KataSupport.Gate()
        let task = Task { [token = probe.token()] in
            try await gate.pass()
            _ = token
        }
        await settle()
        #expect(probe.held == 1)
        gate.open()
        try await task.value
        try await probe.released()
    }

    @Test func threadsRunAtTheSameTime() async throws {
        let log = KataSupport.Log<Int>()
        try await onThreads(8) { log.record($0) }
        #expect(log.events.sorted() == Array(0..<8))
    }

    @Test func anObjectThatIsStillThereIsFound() async throws {
        final class Object {}
        weak var released: Object?
        do {
            let object = Object()
            released = object
            let error = await #expect(throws: DeadlineExceeded.self) { try await expectReleased { released } }
            #expect(error?.finding == Finding(key: "leakedArrived", arguments: ["Object"], kind: .nothing))
            withExtendedLifetime(object) {}
        }
        try await expectReleased { released }
    }
}
