import Debouncer
import KataSupport
import Testing

/// Calls `debounce` from a task of its own: only one test asks how soon the call returns. Where the test gives no operation, it
/// records its name.
func call(
    _ debouncer: Debouncer, _ name: String, in history: KataSupport.Log<String>,
    _ operation: (@Sendable () async -> Void)? = nil
) async {
    history.input(name)
    let operation = operation ?? { history.record(name) }
    Task { await debouncer.debounce(operation) }
    await KataSupport.settle()
}

@Suite(.ownProcess) struct DebouncerTests {
    let clock = KataSupport.TestClock()
    let history: KataSupport.Log<String>
    let debouncer: Debouncer
    /// Drawn anew for each test, too long for a real sleep to be over before the test is, and no multiple of the steps in which
    /// an answer may look at the time.
    let quiet: Duration

    init() {
        var values = KataSupport.Values(for: "quiet period")
        quiet = .milliseconds(1_001 + 2 * Int.random(in: 1_000...2_000, using: &values))
        history = KataSupport.Log<String>(time: clock)
        debouncer = Debouncer(duration: quiet, clock: clock)
    }

    /// An operation that goes on until it is cancelled, and records its start and its cancellation.
    func save(_ gate: KataSupport.Gate) -> @Sendable () async -> Void {
        { [history] in
            history.record("start")
            do { try await gate.pass() } catch { history.record("cancelled") }
        }
    }

    @Test func aCallReturnsImmediately() async throws {
        history.input("run")
        Task { [debouncer, history] in
            await debouncer.debounce { history.record("run") }
            history.record("returned")
        }
        await clock.advance(by: quiet * 3)
        try history.expect([("returned", .zero), ("run", quiet)])
        withExtendedLifetime(debouncer) {}
    }

    @Test func onlyTheLastOfABurstRuns() async throws {
        var values = KataSupport.Values()
        let names = values.labels(4)
        for name in names {
            await call(debouncer, name, in: history)
            await clock.advance(by: quiet / 4)
        }
        await clock.advance(by: quiet * 5)
        try history.expect([(names[3], quiet * 7 / 4)])
        withExtendedLifetime(debouncer) {}
    }

    @Test func callsAtTheSameMomentRunOneOperation() async throws {
        for name in ["first", "second", "third"] { await call(debouncer, name, in: history) }
        await clock.advance(by: quiet * 3)
        try history.expect([("third", quiet)])
        withExtendedLifetime(debouncer) {}
    }

    @Test func aCallAtTheVeryMomentSupersedes() async throws {
        await call(debouncer, "first", in: history)
        clock.atNextWaking { [debouncer, history] in
            history.input("second")
            await debouncer.debounce { history.record("second") }
        }
        await clock.advance(by: quiet * 4)
        try history.expect([("second", quiet * 2)])
        withExtendedLifetime(debouncer) {}
        try await KataSupport.inCase("meets") { try await expectQuietPeriodOfCall() }
        try await KataSupport.inCase("forgotten") { try await expectQuietPeriodOfCall(isReplaced: true) }
    }

    /// Whatever the end of the first quiet period has done until then, the call has a quiet period of its own, and a third call
    /// replaces it.
    private func expectQuietPeriodOfCall(isReplaced: Bool = false) async throws {
        try await KataSupport.explore { [quiet] race in
            let clock = KataSupport.TestClock()
            let second = KataSupport.Log<String>(time: clock)
            let debouncer = Debouncer(duration: quiet, clock: clock)
            let gate = KataSupport.Gate()
            await debouncer.debounce {}
            Task {
                await gate.passEvenIfCancelled()
                await debouncer.debounce { second.record("second") }
            }
            await KataSupport.settle()
            let wake = clock.holdNextWaking()
            try await race.threads({ wake() }, { gate.open() })
            if isReplaced { await debouncer.debounce { second.record("third") } }
            await clock.advance(by: quiet * 2)
            try second.expect([(isReplaced ? "third" : "second", quiet * 2)])
            withExtendedLifetime(debouncer) {}
        }
    }

    // MARK: - What runs

    @Test func whatRunsIsNotCancelledByTheNextCall() async throws {
        await call(debouncer, "save", in: history, save(KataSupport.Gate()))
        await clock.advance(by: quiet)
        await call(debouncer, "next", in: history) {}
        await clock.advance(by: quiet * 2)
        try history.expect([("start", quiet)])
        withExtendedLifetime(debouncer) {}
    }

    @Test func aCallDuringARunReturnsImmediately() async throws {
        let gate = KataSupport.Gate()
        await call(debouncer, "run", in: history) { [history] in
            history.record("run")
            await gate.passEvenIfCancelled()
        }
        await clock.advance(by: quiet)
        Task { [debouncer, history] in
            await debouncer.debounce {}
            history.record("returned")
        }
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["run", "returned"])
        gate.open()
        withExtendedLifetime(debouncer) {}
    }

    @Test func aCallDuringARunIsNotLost() async throws {
        let gate = KataSupport.Gate()
        await call(debouncer, "first", in: history) { [history] in
            history.record("first")
            await gate.passEvenIfCancelled()
        }
        await clock.advance(by: quiet)
        await call(debouncer, "second", in: history)
        await clock.advance(by: quiet * 2)
        // It may have started by now, or wait until the first has ended.
        gate.open()
        await clock.advance(by: quiet * 2)
        try KataSupport.expect(history.events, equals: ["first", "second"])
        withExtendedLifetime(debouncer) {}
    }

    @Test func aCallDuringARunHasItsOwnQuietPeriod() async throws {
        let gate = KataSupport.Gate()
        await call(debouncer, "first", in: history) { [history] in
            history.record("first")
            await gate.passEvenIfCancelled()
        }
        await clock.advance(by: quiet)
        await call(debouncer, "second", in: history)
        await clock.advance(by: quiet / 4)
        history.input("first ends")
        gate.open()
        await clock.advance(by: quiet * 3)
        try history.expect([("first", quiet), ("second", quiet * 2)])
        withExtendedLifetime(debouncer) {}
    }

    @Test func aCallAfterARunReplacesWhatWaits() async throws {
        let gate = KataSupport.Gate()
        await call(debouncer, "first", in: history) { [history] in
            history.record("first")
            await gate.passEvenIfCancelled()
        }
        await clock.advance(by: quiet)
        await call(debouncer, "second", in: history)
        await clock.advance(by: quiet / 4)
        history.input("first ends")
        gate.open()
        await clock.advance(by: quiet / 4)
        await call(debouncer, "third", in: history)
        await clock.advance(by: quiet * 3)
        try history.expect([("first", quiet), ("third", quiet * 2 + quiet / 4 * 2)])
        withExtendedLifetime(debouncer) {}
    }

    @Test func twoDebouncersDoNotDisturbEachOther() async throws {
        let other = Debouncer(duration: quiet, clock: clock)
        await call(debouncer, "one", in: history)
        await clock.advance(by: quiet / 2)
        await call(other, "two", in: history)
        await clock.advance(by: quiet * 3)
        try history.expect([("one", quiet), ("two", quiet * 3 / 2)])
        withExtendedLifetime((debouncer, other)) {}
    }

    // MARK: - The end of a debouncer

    @Test func droppingTheDebouncerDropsWhatWaits() async throws {
        func useAndDrop() async {
            let debouncer = Debouncer(duration: quiet, clock: clock)
            await call(debouncer, "while it lives", in: history)
            await clock.advance(by: quiet)
            await call(debouncer, "too late", in: history)
            await clock.advance(by: quiet / 2)
            withExtendedLifetime(debouncer) {}
        }
        await useAndDrop()
        history.input("dropped")
        await clock.advance(by: quiet * 3)
        try history.expect([("while it lives", quiet)])
    }

    @Test func droppingTheDebouncerDuringARunDropsWhatWaits() async throws {
        let gate = KataSupport.Gate()
        func useAndDrop() async {
            let debouncer = Debouncer(duration: quiet, clock: clock)
            await call(debouncer, "first", in: history) { [history] in
                history.record("first")
                await gate.passEvenIfCancelled()
            }
            await clock.advance(by: quiet)
            await call(debouncer, "too late", in: history)
            await clock.advance(by: quiet / 2)
            withExtendedLifetime(debouncer) {}
        }
        await useAndDrop()
        await clock.advance(by: quiet * 3)
        gate.open()
        await clock.advance(by: quiet * 3)
        try KataSupport.expect(history.events, equals: ["first"])
    }

    @Test func droppingTheDebouncerDoesNotCancelWhatRuns() async throws {
        let gate = KataSupport.Gate()
        func useAndDrop() async {
            let debouncer = Debouncer(duration: quiet, clock: clock)
            await call(debouncer, "save", in: history, save(gate))
            await clock.advance(by: quiet)
            withExtendedLifetime(debouncer) {}
        }
        await useAndDrop()
        history.input("dropped")
        await clock.advance(by: quiet)
        try history.expect([("start", quiet)])
    }

    // MARK: - Memory

    /// An operation that captures a token, such as a view model.
    func capture(_ probe: KataSupport.LeakProbe, _ event: String) -> @Sendable () async -> Void {
        { [history, token = probe.token()] in
            history.record(event)
            withExtendedLifetime(token) {}
        }
    }

    @Test func anOperationThatHasRunIsReleased() async throws {
        let probe = KataSupport.LeakProbe()
        await call(debouncer, "run", in: history, capture(probe, "run"))
        await clock.advance(by: quiet * 3)
        try KataSupport.expect(history.events, equals: ["run"])
        try await probe.released()
        withExtendedLifetime(debouncer) {}
    }
}
