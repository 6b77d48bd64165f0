// mutant: a cancelled sleep counts as a finished one
// fails: DebouncerTests/onlyTheLastOfABurstRuns()
// fails: DebouncerTests/callsAtTheSameMomentRunOneOperation()
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// fails: DebouncerTests/droppingTheDebouncerDropsWhatWaits()
// fails: DebouncerTests/droppingTheDebouncerDuringARunDropsWhatWaits()
// fails: DebouncerTests/aCallAfterARunReplacesWhatWaits()
// hint: DebouncerTests/onlyTheLastOfABurstRuns() burst
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var sleeping: Task<Void, Never>?

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        sleeping?.cancel()
        sleeping = Task { [clock, duration] in
            try? await clock.sleep(for: duration)
            await Task { await operation() }.value
        }
    }

    deinit {
        sleeping?.cancel()
    }
}
