// mutant: the end of a run forgets the call that waits
// fails: DebouncerTests/aCallAfterARunReplacesWhatWaits()
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// hint: DebouncerTests/aCallAfterARunReplacesWhatWaits() afterRun
/// Runs an operation only when nobody has asked for another one for a while.
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var task: Task<Void, Never>?
    private var isRunning = false

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    deinit { if !isRunning { task?.cancel() } }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        // One that runs is not cancelled.
        if !isRunning { task?.cancel() }
        isRunning = false
        task = Task { [weak self, clock, duration] in
            guard (try? await clock.sleep(for: duration)) != nil, await self?.begin() == true else { return }
            await operation()
            await self?.end()
        }
    }

    private func begin() -> Bool {
        if Task.isCancelled { return false }
        isRunning = true
        return true
    }

    private func end() {
        isRunning = false
        task = nil
    }
}
