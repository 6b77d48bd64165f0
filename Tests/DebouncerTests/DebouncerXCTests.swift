import Debouncer
import KataSupport
import XCTest

final class DebouncerXCTests: XCTestCase {
    let clock = KataSupport.TestClock()

    func testWaitsOnTheInjectedClock() async throws {
        let history = KataSupport.Log<String>(time: clock)
        let debouncer = Debouncer(duration: .seconds(300), clock: clock)
        await call(debouncer) { history.record("run") }
        // In two steps: an operation that runs whenever the clock is moved is not one that waits for its time.
        await clock.advance(by: .seconds(299))
        await clock.advance(by: .seconds(2))
        await clock.advance(by: .seconds(1_000))
        try history.expect([("run", .seconds(300))])
        withExtendedLifetime(debouncer) {}
    }

    func testSeparateBurstsEachRun() async throws {
        var values = KataSupport.Values()
        let names = values.strings(3)
        let history = KataSupport.Log<String>(time: clock)
        let debouncer = Debouncer(duration: .seconds(300), clock: clock)
        for name in names {
            await call(debouncer) { history.record(name) }
            await clock.advance(by: .seconds(1_000))
        }
        try history.expect([
            (names[0], .seconds(300)), (names[1], .seconds(1_300)), (names[2], .seconds(2_300)),
        ])
        withExtendedLifetime(debouncer) {}
    }

    /// Both ways in which an operation is discarded: a later call replaces it, or the debouncer is released.
    func testADiscardedOperationIsReleased() async throws {
        let history = KataSupport.Log<String>(time: clock)
        let probe = KataSupport.LeakProbe()
        func useAndDrop() async {
            let debouncer = Debouncer(duration: .seconds(300), clock: clock)
            await call(debouncer) { [token = probe.token()] in withExtendedLifetime(token) {} }
            await call(debouncer) { history.record("run") }
            await clock.advance(by: .seconds(1_000))
            await call(debouncer) { [token = probe.token()] in withExtendedLifetime(token) {} }
            withExtendedLifetime(debouncer) {}
        }
        await useAndDrop()
        await clock.advance(by: .seconds(1_000))
        try KataSupport.expect(history.events, equals: ["run"])
        try await probe.released()
    }
}
