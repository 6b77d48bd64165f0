// mutant: runs the first of a burst at once and leaves out the rest
// fails: DebouncerXCTests/testWaitsOnTheInjectedClock
// fails: DebouncerTests/aCallReturnsImmediately()
// fails: DebouncerTests/onlyTheLastOfABurstRuns()
// fails: DebouncerXCTests/testSeparateBurstsEachRun
// fails: DebouncerTests/callsAtTheSameMomentRunOneOperation()
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// fails: DebouncerTests/whatRunsIsNotCancelledByTheNextCall()
// fails: DebouncerTests/aCallDuringARunHasItsOwnQuietPeriod()
// fails: DebouncerTests/twoDebouncersDoNotDisturbEachOther()
// fails: DebouncerTests/droppingTheDebouncerDropsWhatWaits()
// fails: DebouncerTests/droppingTheDebouncerDuringARunDropsWhatWaits()
// fails: DebouncerTests/droppingTheDebouncerDoesNotCancelWhatRuns()
// fails: DebouncerXCTests/testADiscardedOperationIsReleased
// fails: DebouncerTests/aCallAfterARunReplacesWhatWaits()
// hint: DebouncerXCTests/testWaitsOnTheInjectedClock clock.early
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var isQuieting = false

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        guard !isQuieting else { return }
        isQuieting = true
        Task {
            await operation()
        }
        Task { [weak self, clock, duration] in
            try? await clock.sleep(for: duration)
            await self?.end()
        }
    }

    private func end() {
        isQuieting = false
    }
}
