import Debouncer
import KataSupport
import XCTest

final class DebouncerXCTests: XCTestCase {
    func testWaitsOnTheInjectedClock() async throws {
        let clock = KataSupport.TestClock()
        let history = KataSupport.Log<String>(time: clock)
        let debouncer = Debouncer(duration: .seconds(300), clock: clock)
        await debouncer.debounce { history.record("run") }
        // In two steps: an operation that runs whenever the clock is moved is not one that waits for its time.
        await clock.advance(by: .seconds(299))
        await clock.advance(by: .seconds(2))
        try history.expect([("run", .seconds(300))])
        withExtendedLifetime(debouncer) {}
    }

    func testSeparateBurstsEachRun() async throws {
        var values = KataSupport.Values()
        let names = values.strings(3)
        let clock = KataSupport.TestClock()
        let history = KataSupport.Log<String>(time: clock)
        let debouncer = Debouncer(duration: .seconds(300), clock: clock)
        for name in names {
            await debouncer.debounce { history.record(name) }
            await clock.advance(by: .seconds(1_000))
        }
        try history.expect([
            (names[0], .seconds(300)), (names[1], .seconds(1_300)), (names[2], .seconds(2_300)),
        ])
        withExtendedLifetime(debouncer) {}
    }
}
