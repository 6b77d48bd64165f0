// mutant: all debouncers share the task that waits
// fails: DebouncerTests/twoDebouncersDoNotDisturbEachOther()
// hint: DebouncerTests/twoDebouncersDoNotDisturbEachOther() independent
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0
    nonisolated(unsafe) private static var sleeping: Task<Void, Never>?
    private var own: Task<Void, Never>?

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        Self.sleeping?.cancel()
        lastCall += 1
        let call = lastCall
        let task = Task { [weak self, clock, duration] in
            do { try await clock.sleep(for: duration) } catch { return }
            if await self?.begins(call) == true {
                await operation()
            }
        }
        Self.sleeping = task
        own = task
    }

    private func begins(_ call: Int) -> Bool {
        guard call == lastCall else { return false }
        Self.sleeping = nil
        own = nil
        return true
    }

    deinit {
        own?.cancel()
    }
}
