import KataName
import KataSupport
import Testing

// TODO: write one test for each promise of README.md, and name each in kata.json. These are examples.

@Suite(.ownProcess) struct KataNameTests {
    /// A value: it is drawn from the seed, so that an answer with the number in it fails.
    @Test func theFirstValueCounts() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(2)
        let calls = KataSupport.Log<Int>()
        let result = await retry(attempts: 2, pause: .zero, clock: KataSupport.TestClock()) {
            calls.record(numbers[min(calls.events.count, 1)])
            return calls.events.last
        }
        try KataSupport.expect(result, equals: numbers[0])
    }

    /// A cancellation: first what has to happen, then what must not.
    @Test func cancellingEndsThePause() async throws {
        let clock = KataSupport.TestClock()
        let history = KataSupport.Log<String>()
        let task = Task {
            let result = await retry(attempts: 3, pause: .seconds(1), clock: clock) {
                history.record("attempt")
                return nil
            }
            history.record(result == nil ? "returned" : "returned a value")
        }
        await KataSupport.settle()
        history.record("cancel")
        task.cancel()
        await clock.advance(by: .seconds(5))
        try KataSupport.expect(history.events, equals: ["attempt", "cancel", "returned"])
    }

    /// Memory: what the test handed over is released in the end.
    @Test func theOperationIsReleased() async throws {
        var values = KataSupport.Values()
        let number = values.integer()
        let probe = KataSupport.LeakProbe()
        let result = await retry(attempts: 1, pause: .zero, clock: KataSupport.TestClock()) {
            [token = probe.token()] in
            _ = token
            return number
        }
        try KataSupport.expect(result, equals: number)
        try await probe.released()
    }

    /// Threads: two calls that meet, in every order of their steps.
    @Test func callsDoNotMeet() async throws {
        try await KataSupport.explore { race in
            let results = KataSupport.Log<Int?>()
            let call: @Sendable () -> Void = {
                Task {
                    let attempts = KataSupport.Log<Int>()
                    let result = await retry(attempts: 2, pause: .zero, clock: KataSupport.TestClock()) {
                        attempts.record(1)
                        return attempts.events.count == 2 ? 2 : nil
                    }
                    results.record(result)
                }
            }
            try await race.threads(call, call)
            try KataSupport.expect(results.events, equals: [2, 2])
        }
    }
}
