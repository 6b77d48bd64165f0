import Debouncer
import KataSupport
import XCTest

final class DebouncerXCTests: XCTestCase {
    let clock = KataSupport.TestClock()
    /// No multiple of the steps in which an answer may look at the time.
    let quiet = Duration.milliseconds(3_001)

    func testWaitsOnTheInjectedClock() async throws {
        let history = KataSupport.Log<String>(time: clock)
        let debouncer = Debouncer(duration: quiet, clock: clock)
        await call(debouncer, "run", in: history)
        // In two steps: an operation that runs whenever the clock is moved is not one that waits for its time.
        await clock.advance(by: quiet * 3 / 4)
        await clock.advance(by: quiet / 2)
        await clock.advance(by: quiet * 3)
        try history.expect([("run", quiet)])
        withExtendedLifetime(debouncer) {}
    }

    func testSeparateBurstsEachRun() async throws {
        var values = KataSupport.Values()
        let names = values.labels(3)
        let history = KataSupport.Log<String>(time: clock)
        let debouncer = Debouncer(duration: quiet, clock: clock)
        for name in names {
            await call(debouncer, name, in: history)
            await clock.advance(by: quiet * 3)
        }
        try history.expect([(names[0], quiet), (names[1], quiet * 4), (names[2], quiet * 7)])
        withExtendedLifetime(debouncer) {}
    }

    /// Both ways in which an operation is discarded: a later call replaces it, or the debouncer is released.
    func testADiscardedOperationIsReleased() async throws {
        let history = KataSupport.Log<String>(time: clock)
        let (replaced, probe) = (KataSupport.LeakProbe(), KataSupport.LeakProbe())
        func useAndDrop() async throws {
            let debouncer = Debouncer(duration: quiet, clock: clock)
            await call(debouncer, "replaced", in: history) { [token = replaced.token()] in
                withExtendedLifetime(token) {}
            }
            await call(debouncer, "run", in: history)
            await clock.advance(by: quiet * 3)
            try await replaced.released()
            await call(debouncer, "too late", in: history) { [token = probe.token()] in
                withExtendedLifetime(token) {}
            }
            withExtendedLifetime(debouncer) {}
        }
        try await useAndDrop()
        await clock.advance(by: quiet * 3)
        try KataSupport.expect(history.events, equals: ["run"])
        try await probe.released()
    }
}
