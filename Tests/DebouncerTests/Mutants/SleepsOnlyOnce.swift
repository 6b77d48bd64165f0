// mutant: one task sleeps for all calls, and gives up when there has been a call meanwhile
// fails: DebouncerTests/onlyTheLastOfABurstRuns()
// fails: DebouncerTests/callsAtTheSameMomentRunOneOperation()
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// fails: DebouncerXCTests/testADiscardedOperationIsReleased
// fails: DebouncerTests/aCallAfterARunReplacesWhatWaits()
// hint: DebouncerTests/onlyTheLastOfABurstRuns() burst.nothing
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0
    private var operation: (@Sendable () async -> Void)?
    private var sleeping: Task<Void, Never>?

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    deinit { sleeping?.cancel() }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        lastCall += 1
        self.operation = operation
        if sleeping != nil { return }
        sleeping = Task { [weak self, clock, duration, lastCall] in
            do { try await clock.sleep(for: duration) } catch { return }
            if let operation = await self?.takeOperation(ifLast: lastCall) { await operation() }
        }
    }

    private func takeOperation(ifLast call: Int) -> (@Sendable () async -> Void)? {
        sleeping = nil
        guard call == lastCall else { return nil }
        defer { operation = nil }
        return operation
    }
}
