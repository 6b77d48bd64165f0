import Debouncer
import KataSupport
import Testing

@Suite(.ownProcess) struct DebouncerTests {
    let clock = KataSupport.TestClock()
    let history: KataSupport.Log<String>
    let debouncer: Debouncer
    /// Drawn anew for each test, and far too long for a real sleep to be over before the test is.
    let quiet: Duration

    init() {
        var values = KataSupport.Values(for: "quiet period")
        quiet = .seconds(30 * Int.random(in: 2...9, using: &values))
        history = KataSupport.Log<String>(time: clock)
        debouncer = Debouncer(duration: quiet, clock: clock)
    }

    func record(_ event: String) -> @Sendable () async -> Void {
        { [history] in history.record(event) }
    }

    /// An operation that goes on until it is cancelled, and records its start and its cancellation.
    func save(_ gate: KataSupport.Gate) -> @Sendable () async -> Void {
        { [history] in
            history.record("start")
            do { try await gate.pass() } catch { history.record("cancelled") }
        }
    }

    @Test func onlyTheLastOfABurstRuns() async throws {
        var values = KataSupport.Values()
        let names = values.strings(4)
        for name in names {
            await debouncer.debounce(record(name))
            await clock.advance(by: quiet / 3)
        }
        await clock.advance(by: quiet * 3)
        try history.expect([(names[3], quiet * 2)])
        withExtendedLifetime(debouncer) {}
    }

    @Test func aCallAtTheVeryMomentSupersedes() async throws {
        await debouncer.debounce(record("first"))
        clock.atNextWaking { [debouncer, record = record("second")] in
            await debouncer.debounce(record)
        }
        await clock.advance(by: quiet * 4)
        try history.expect([("second", quiet * 2)])
        withExtendedLifetime(debouncer) {}
    }

    @Test func whatRunsIsNotCancelledByTheNextCall() async throws {
        let gate = KataSupport.Gate()
        await debouncer.debounce(save(gate))
        await clock.advance(by: quiet)
        await debouncer.debounce {}
        await clock.advance(by: quiet * 2)
        try history.expect([("start", quiet)])
        withExtendedLifetime(debouncer) {}
    }

    @Test func droppingTheDebouncerDropsWhatWaits() async throws {
        func useAndDrop() async {
            let debouncer = Debouncer(duration: quiet, clock: clock)
            await debouncer.debounce(record("while it lives"))
            await clock.advance(by: quiet)
            await debouncer.debounce(record("too late"))
            await clock.advance(by: quiet / 2)
            withExtendedLifetime(debouncer) {}
        }
        await useAndDrop()
        await clock.advance(by: quiet * 3)
        try history.expect([("while it lives", quiet)])
    }

    @Test func droppingTheDebouncerDoesNotCancelWhatRuns() async throws {
        let gate = KataSupport.Gate()
        func useAndDrop() async {
            let debouncer = Debouncer(duration: quiet, clock: clock)
            await debouncer.debounce(save(gate))
            await clock.advance(by: quiet)
            withExtendedLifetime(debouncer) {}
        }
        await useAndDrop()
        await clock.advance(by: quiet)
        try history.expect([("start", quiet)])
    }
}
