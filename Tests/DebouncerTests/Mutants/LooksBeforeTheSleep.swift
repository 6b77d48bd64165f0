// mutant: looks for the next call before the sleep instead of after it
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// hint: DebouncerTests/aCallAtTheVeryMomentSupersedes() moment
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
            guard await self?.begins(call) == true else { return }
            do { try await clock.sleep(for: duration) } catch { return }
            guard self != nil else { return }
            await Task { await operation() }.value
        }
    }

    private func begins(_ call: Int) -> Bool {
        guard call == lastCall else { return false }
        return true
    }

    deinit {
        sleeping?.cancel()
    }
}
