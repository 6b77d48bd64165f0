// mutant: looks at the time every 200 ms, so that the operation runs late
// fails: DebouncerXCTests/testWaitsOnTheInjectedClock
// fails: DebouncerTests/aCallReturnsImmediately()
// fails: DebouncerTests/onlyTheLastOfABurstRuns()
// fails: DebouncerXCTests/testSeparateBurstsEachRun
// fails: DebouncerTests/callsAtTheSameMomentRunOneOperation()
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// fails: DebouncerTests/whatRunsIsNotCancelledByTheNextCall()
// fails: DebouncerTests/aCallDuringARunReturnsImmediately()
// fails: DebouncerTests/aCallDuringARunIsNotLost()
// fails: DebouncerTests/aCallDuringARunHasItsOwnQuietPeriod()
// fails: DebouncerTests/twoDebouncersDoNotDisturbEachOther()
// fails: DebouncerTests/droppingTheDebouncerDropsWhatWaits()
// fails: DebouncerTests/droppingTheDebouncerDuringARunDropsWhatWaits()
// fails: DebouncerTests/droppingTheDebouncerDoesNotCancelWhatRuns()
// fails: DebouncerTests/aCallAfterARunReplacesWhatWaits()
// hint: DebouncerXCTests/testWaitsOnTheInjectedClock clock.late
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private var operation: (@Sendable () async -> Void)?
    private var end = Duration.zero
    private var looking: Task<Void, any Error>?

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
        elapsed = Self.timer(clock)
    }

    deinit { looking?.cancel() }

    private static func timer<C: Clock>(_ clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        self.operation = operation
        end = elapsed() + duration
        if looking != nil { return }
        looking = Task { [weak self, clock] in
            while await self?.isWaiting() == true { try await clock.sleep(for: .milliseconds(200)) }
        }
    }

    private func isWaiting() -> Bool {
        if elapsed() < end { return true }
        looking = nil
        if let operation {
            self.operation = nil
            Task { await operation() }
        }
        return false
    }
}
