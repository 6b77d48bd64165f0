// mutant: waits for a continuation that nobody resumes
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
// fails: DebouncerTests/anOperationThatHasRunIsReleased()
// fails: DebouncerXCTests/testADiscardedOperationIsReleased
// fails: DebouncerTests/aCallAfterARunReplacesWhatWaits()
// hint: DebouncerXCTests/testWaitsOnTheInjectedClock clock
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        Task {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            await operation()
        }
    }
}
