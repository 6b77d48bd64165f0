import KataSupport
import Testing

@Suite(.ownProcess) struct TestClockTests {
    let clock = KataSupport.TestClock()

    @Test func sleepersWakeInTheOrderOfTheirDeadlines() async throws {
        let log = KataSupport.Log<String>(time: clock)
        for (name, delay) in [("c", 30), ("a", 10), ("b", 20)] {
            Task {
                try await clock.sleep(for: .milliseconds(delay))
                log.record(name)
            }
        }
        await clock.advance(by: .milliseconds(100))
        try log.expect([("a", .milliseconds(10)), ("b", .milliseconds(20)), ("c", .milliseconds(30))])
        #expect(clock.elapsed == .milliseconds(100))
    }

    @Test func whatASleeperSetsOffHappensAtItsOwnTime() async throws {
        let log = KataSupport.Log<Int>(time: clock)
        Task {
            for number in 1...3 {
                try await clock.sleep(for: .milliseconds(10))
                log.record(number)
            }
        }
        await clock.advance(by: .milliseconds(25))
        try log.expect([(1, .milliseconds(10)), (2, .milliseconds(20))])
    }

    @Test func aSleepIsOverNoSoonerThanItsDeadline() async throws {
        let task = Task { try await clock.sleep(for: .milliseconds(300)) }
        await clock.advance(by: .milliseconds(299))
        #expect(clock.sleepers == [.init(offset: .milliseconds(300))])
        await clock.advance(by: .milliseconds(1))
        #expect(clock.sleepers.isEmpty)
        try await task.value
    }

    @Test func cancellationEndsASleepAtOnce() async throws {
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        try await clock.untilSleeping()
        task.cancel()
        try await clock.untilNothingSleeps()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aCancelledTaskDoesNotFallAsleep() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleepers.isEmpty)
    }

    @Test func cancellationAtTheMomentOfWakingComesTooLateForTheSleep() async throws {
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        clock.atNextWaking { task.cancel() }
        await clock.advance(by: .seconds(1))
        try await task.value
        #expect(task.isCancelled)
    }

    @Test func aDeadlineInThePastNeedsNoAdvance() async throws {
        await clock.advance(by: .seconds(5))
        try await KataSupport.withDeadline { try await clock.sleep(until: .init(offset: .seconds(5))) }
    }
}
