// mutant: the sleeping task keeps the debouncer alive
// fails: DebouncerTests/droppingTheDebouncerDropsWhatWaits()
// fails: DebouncerTests/droppingTheDebouncerDuringARunDropsWhatWaits()
// hint: DebouncerTests/droppingTheDebouncerDropsWhatWaits() dropped
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
        sleeping = Task {
            do { try await clock.sleep(for: duration) } catch { return }
            if begins(call) {
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
