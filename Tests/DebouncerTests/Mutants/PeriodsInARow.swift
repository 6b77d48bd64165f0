// mutant: each call sleeps after the call before it has slept
// fails: DebouncerTests/onlyTheLastOfABurstRuns()
// fails: DebouncerTests/callsAtTheSameMomentRunOneOperation()
// fails: DebouncerTests/aCallAfterARunReplacesWhatWaits()
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// hint: DebouncerTests/onlyTheLastOfABurstRuns() burst.late
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
        let before = sleeping
        lastCall += 1
        let call = lastCall
        sleeping = Task { [weak self, clock, duration] in
            await before?.value
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
