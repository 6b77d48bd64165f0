import Foundation
import KataSupport
import Synchronization
import Testing

@Suite(.ownProcess) struct DeadlineTests {
    @Test func aContinuationThatIsNeverResumedIsFoundWhenNothingIsLeftToRun() async throws {
        let error = await #expect(throws: KataSupport.DeadlineExceeded.self) {
            try await KataSupport.withDeadline {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        let found = try #require(error)
        #expect(found.end == .nothingLeftToRun)
        #expect(found.finding == KataSupport.Finding(key: "deadline", arguments: [], kind: .nothing))
        #expect(found.finding.line.hasPrefix("finding: {\"arguments\":["))
    }

    @Test func whatHadArrivedUntilThenIsReported() async throws {
        let log = KataSupport.Log<Int>()
        log.record(1)
        log.record(2)
        let error = await #expect(throws: KataSupport.DeadlineExceeded.self) { try await log.until(count: 3) }
        #expect(error?.finding == KataSupport.Finding(key: "deadlineArrived", arguments: ["1, 2"], kind: .missing))
    }

    @Test func cancellationsAreCounted() async throws {
        let probe = KataSupport.CancellationProbe()
        let tasks = (0..<3).map { _ in Task { try await probe.run() } }
        try await probe.started(3)
        tasks[1].cancel()
        let error = await #expect(throws: KataSupport.DeadlineExceeded.self) { try await probe.cancelled(3) }
        #expect(error?.finding == KataSupport.Finding(key: "notCancelledArrived", arguments: ["1/3"], kind: .missing))
        for task in tasks { task.cancel() }
    }

    @Test func aLoopWithoutEndIsGivenUp() async throws {
        let isOver = Atomic(false)
        let error = await #expect(throws: KataSupport.DeadlineExceeded.self) {
            try await KataSupport.withDeadline { while !isOver.load(ordering: .relaxed) {} }
        }
        #expect(error?.end == .stillRunning)
        #expect(error?.finding.kind == .stillRunning)
        #expect(try await KataSupport.withDeadline { 7 } == 7)
        isOver.store(true, ordering: .relaxed)
    }

    @Test func aTaskThatAsksAgainAndAgainIsGivenUp() async throws {
        let error = await #expect(throws: KataSupport.DeadlineExceeded.self) {
            try await KataSupport.withDeadline { while !Task.isCancelled { await Task.yield() } }
        }
        #expect(error?.finding == KataSupport.Finding(key: "stillRunning", arguments: [], kind: .stillRunning))
    }

    @Test func nothingIsLeftToRunWhileATaskWaits() async throws {
        let gate = KataSupport.Gate()
        Task { try await gate.pass() }
        try await KataSupport.expectNothingLeftToRun()
        gate.open()
    }

    @Test(arguments: [500_000, 10_000_000])
    func aTaskThatSleepsAndLooksAgainIsLeftToRun(nanoseconds: UInt64) async throws {
        let task = Task {
            while !Task.isCancelled { try await Task.sleep(nanoseconds: nanoseconds) }
        }
        let error = await #expect(throws: KataSupport.DeadlineExceeded.self) {
            try await KataSupport.expectNothingLeftToRun()
        }
        #expect(error?.end == .stillRunning)
        task.cancel()
    }

    @Test func aThreadThatIsBlockedCostsOneWaitAndNotTheNext() async throws {
        let semaphore = DispatchSemaphore(value: 0)
        await #expect(throws: KataSupport.DeadlineExceeded.self) {
            try await KataSupport.withDeadline { block(on: semaphore) }
        }
        #expect(try await KataSupport.withDeadline { 7 } == 7)
        semaphore.signal()
    }

    @Test func aThreadThatIsBlockedIsFoundAndDoesNotHoldBackTasksThatAreReady() async throws {
        let semaphore = DispatchSemaphore(value: 0)
        let order = KataSupport.Log<String>()
        let error = await #expect(throws: KataSupport.BlockedThread.self) {
            try await KataSupport.expectNoBlockedThread {
                Task {
                    order.record("blocks")
                    block(on: semaphore)
                    order.record("goes on")
                }
                Task {
                    order.record("ready")
                    semaphore.signal()
                }
            }
        }
        #expect(error?.finding.kind == .blocked)
        try await order.until(count: 3)
        #expect(order.events == ["blocks", "ready", "goes on"])
    }

    @Test func aWaitSaysThatAllThreadsOfAGlobalQueueAreKept() async throws {
        let semaphore = DispatchSemaphore(value: 0)
        defer { for _ in 0..<KataSupport.manyWaits { semaphore.signal() } }
        for _ in 0..<KataSupport.manyWaits { DispatchQueue.global().async { semaphore.wait() } }
        let error = await #expect(throws: KataSupport.DeadlineExceeded.self) {
            try await KataSupport.withDeadline {
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume() }
                }
            }
        }
        #expect(error?.finding == KataSupport.Finding(key: "noThreadLeft", arguments: [], kind: .blocked))
        let blocked = await #expect(throws: KataSupport.DeadlineExceeded.self) {
            try await KataSupport.expectNoBlockedThread {}
        }
        #expect(blocked?.finding.kind == .blocked)
    }

    @Test func aThreadThatWaitsOnAnotherQueueKeepsNoneOfAGlobalQueue() async throws {
        let semaphore = DispatchSemaphore(value: 0)
        defer { semaphore.signal() }
        DispatchQueue(label: "waits").async { semaphore.wait() }
        try await KataSupport.expectNoBlockedThread {}
        let error = await #expect(throws: KataSupport.DeadlineExceeded.self) {
            try await KataSupport.withDeadline { await KataSupport.Gate().passEvenIfCancelled() }
        }
        #expect(error?.finding.key == "deadline")
    }

    @Test func aTaskThatSuspendsBlocksNoThread() async throws {
        let gate = KataSupport.Gate()
        try await KataSupport.expectNoBlockedThread { Task { try await gate.pass() } }
        gate.open()
    }

    @Test func valuesAndErrorsPassThrough() async throws {
        #expect(try await KataSupport.withDeadline { 7 } == 7)
        await #expect(throws: KataSupport.Failure("x")) {
            try await KataSupport.withDeadline { throw KataSupport.Failure("x") }
        }
    }

    @Test func manyWaitsLeaveNoTimersBehind() async throws {
        for number in 0..<2_000 {
            let gate = KataSupport.Gate()
            let task = Task {
                try await gate.pass()
                return number
            }
            try await gate.untilWaiting(atLeast: 1)
            gate.open()
            #expect(try await KataSupport.withDeadline { try await task.value } == number)
        }
    }
}

private func block(on semaphore: DispatchSemaphore) {
    semaphore.wait()
}
