// mutant: the quiet period counts from the first call of a burst
// fails: DebouncerTests/onlyTheLastOfABurstRuns()
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// fails: DebouncerTests/aCallAfterARunReplacesWhatWaits()
// hint: DebouncerTests/onlyTheLastOfABurstRuns() burst.early
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var latest: (@Sendable () async -> Void)?
    private var sleeping: Task<Void, Never>?

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        latest = operation
        guard sleeping == nil else { return }
        sleeping = Task { [weak self, clock, duration] in
            do { try await clock.sleep(for: duration) } catch { return }
            await self?.take()?()
        }
    }

    private func take() -> (@Sendable () async -> Void)? {
        sleeping = nil
        defer { latest = nil }
        return latest
    }

    deinit {
        sleeping?.cancel()
    }
}
