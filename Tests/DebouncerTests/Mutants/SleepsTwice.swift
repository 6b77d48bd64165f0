// mutant: the quiet period is waited for twice
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
    private var lastCall = 0
    private var sleeping: Task<Void, Never>?

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        sleeping?.cancel()
        lastCall += 1
        let call = lastCall
        sleeping = Task { [weak self, clock, duration] in
            do { try await clock.sleep(for: duration) } catch { return }
            do { try await clock.sleep(for: duration) } catch { return }
            if await self?.begins(call) == true {
                await operation()
            }
        }
    }

    private func begins(_ call: Int) -> Bool {
        guard call == lastCall else { return false }
        sleeping = nil
        return true
    }

    deinit {
        sleeping?.cancel()
    }
}
