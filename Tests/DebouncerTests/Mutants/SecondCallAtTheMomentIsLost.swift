// mutant: the end of the first sleep clears the call that came at that moment
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// hint: DebouncerTests/aCallAtTheVeryMomentSupersedes() moment.lost
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
        sleeping = Task { [weak self, clock, duration] in
            do { try await clock.sleep(for: duration) } catch { return }
            if await self?.begins(call) == true {
                await operation()
            }
        }
    }

    private func begins(_ call: Int) -> Bool {
        guard call == lastCall else {
            sleeping?.cancel()
            return false
        }
        sleeping = nil
        return true
    }

    deinit {
        sleeping?.cancel()
    }
}
