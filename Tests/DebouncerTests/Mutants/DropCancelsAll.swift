// mutant: dropping the debouncer also cancels the operation that runs
// fails: DebouncerTests/droppingTheDebouncerDoesNotCancelWhatRuns()
// hint: DebouncerTests/droppingTheDebouncerDoesNotCancelWhatRuns() droppedRunning
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0
    private var sleeping: Task<Void, Never>?
    private var running: [Task<Void, Never>] = []

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
            guard await self?.begins(call) == true else { return }
            let running = Task { await operation() }
            await self?.keep(running)
        }
    }

    private func keep(_ task: Task<Void, Never>) {
        running.append(task)
    }

    private func begins(_ call: Int) -> Bool {
        guard call == lastCall else { return false }
        sleeping = nil
        return true
    }

    deinit {
        sleeping?.cancel()
        running.forEach { $0.cancel() }
    }
}
