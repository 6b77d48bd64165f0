// mutant: the next call cancels the operation that already runs
// fails: DebouncerTests/whatRunsIsNotCancelledByTheNextCall()
// hint: DebouncerTests/whatRunsIsNotCancelledByTheNextCall() running
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0
    private var sleeping: Task<Void, Never>?
    private var hasBegun = false

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        sleeping?.cancel()
        lastCall += 1
        hasBegun = false
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
        hasBegun = true
        return true
    }

    deinit {
        if !hasBegun { sleeping?.cancel() }
    }
}
