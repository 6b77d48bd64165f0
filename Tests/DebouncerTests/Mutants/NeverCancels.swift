// mutant: every call runs, each after its own quiet period
// fails: DebouncerTests/onlyTheLastOfABurstRuns()
// fails: DebouncerTests/callsAtTheSameMomentRunOneOperation()
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// fails: DebouncerTests/aCallAfterARunReplacesWhatWaits()
// hint: DebouncerTests/onlyTheLastOfABurstRuns() burst
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        Task { [weak self, clock, duration] in
            try? await clock.sleep(for: duration)
            if self != nil { await operation() }
        }
    }
}
