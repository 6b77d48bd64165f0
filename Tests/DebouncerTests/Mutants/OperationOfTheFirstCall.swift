// mutant: each call begins a new quiet period, but the first operation stays
// fails: DebouncerTests/onlyTheLastOfABurstRuns()
// fails: DebouncerTests/callsAtTheSameMomentRunOneOperation()
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// fails: DebouncerXCTests/testADiscardedOperationIsReleased
// fails: DebouncerTests/aCallAfterARunReplacesWhatWaits()
// hint: DebouncerTests/onlyTheLastOfABurstRuns() burst.other
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0
    private var sleeping: Task<Void, Never>?
    private var waiting: (@Sendable () async -> Void)?

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        sleeping?.cancel()
        lastCall += 1
        waiting = waiting ?? operation
        let call = lastCall
        sleeping = Task { [weak self, clock, duration] in
            do { try await clock.sleep(for: duration) } catch { return }
            await self?.begin(call)?()
        }
    }

    private func begin(_ call: Int) -> (@Sendable () async -> Void)? {
        guard call == lastCall else { return nil }
        sleeping = nil
        defer { waiting = nil }
        return waiting
    }

    deinit {
        sleeping?.cancel()
    }
}
