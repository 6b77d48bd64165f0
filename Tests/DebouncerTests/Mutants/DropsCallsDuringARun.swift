// mutant: a call that comes while an operation runs is ignored
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// fails: DebouncerTests/aCallDuringARunIsNotLost()
// fails: DebouncerTests/aCallDuringARunHasItsOwnQuietPeriod()
// hint: DebouncerTests/aCallDuringARunIsNotLost() during
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0
    private var sleeping: Task<Void, Never>?
    private var isRunning = false

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        guard !isRunning else { return }
        sleeping?.cancel()
        lastCall += 1
        let call = lastCall
        sleeping = Task { [weak self, clock, duration] in
            do { try await clock.sleep(for: duration) } catch { return }
            if await self?.begins(call) == true {
                await operation()
                await self?.ends()
            }
        }
    }

    private func begins(_ call: Int) -> Bool {
        guard call == lastCall else { return false }
        sleeping = nil
        isRunning = true
        return true
    }

    private func ends() {
        isRunning = false
    }

    deinit {
        sleeping?.cancel()
    }
}
