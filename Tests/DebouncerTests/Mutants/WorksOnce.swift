// mutant: never debounces again after the first operation
// fails: DebouncerXCTests/testSeparateBurstsEachRun
// fails: DebouncerTests/aCallDuringARunIsNotLost()
// fails: DebouncerTests/aCallDuringARunHasItsOwnQuietPeriod()
// fails: DebouncerTests/aCallAfterARunReplacesWhatWaits()
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// hint: DebouncerXCTests/testSeparateBurstsEachRun bursts
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0
    private var sleeping: Task<Void, Never>?
    private var isDone = false

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        guard !isDone else { return }
        sleeping?.cancel()
        lastCall += 1
        let call = lastCall
        sleeping = Task { [weak self, clock, duration] in
            do { try await clock.sleep(for: duration) } catch { return }
            if await self?.begins(call) == true {
                await operation()
            }
        }
    }

    private func begins(_ call: Int) -> Bool {
        guard call == lastCall else { return false }
        sleeping = nil
        isDone = true
        return true
    }

    deinit {
        sleeping?.cancel()
    }
}
