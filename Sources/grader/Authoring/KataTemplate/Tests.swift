import KataName
import KataSupport
import Testing

// TODO: write one test for each promise of README.md, and name each in kata.json. These three are examples.

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
}
