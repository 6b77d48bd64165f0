// mutant: a cancelled sleep clears what the next call has stored
// fails: DebouncerTests/onlyTheLastOfABurstRuns()
// fails: DebouncerTests/callsAtTheSameMomentRunOneOperation()
// fails: DebouncerXCTests/testADiscardedOperationIsReleased
// fails: DebouncerTests/aCallAfterARunReplacesWhatWaits()
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// hint: DebouncerTests/onlyTheLastOfABurstRuns() burst.nothing
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
        waiting = operation
        let call = lastCall
        sleeping = Task { [weak self, clock, duration] in
            do { try await clock.sleep(for: duration) } catch {
                await self?.clear()
                return
            }
            await self?.begin(call)?()
        }
    }

    private func begin(_ call: Int) -> (@Sendable () async -> Void)? {
        guard call == lastCall else { return nil }
        sleeping = nil
        defer { waiting = nil }
        return waiting
    }

    private func clear() {
        waiting = nil
    }

    deinit {
        sleeping?.cancel()
    }
}
