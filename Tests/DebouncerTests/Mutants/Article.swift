// mutant: the code of the migration guides, sleeping on the injected clock
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// fails: DebouncerTests/whatRunsIsNotCancelledByTheNextCall()
// fails: DebouncerTests/droppingTheDebouncerDropsWhatWaits()
// fails: DebouncerTests/droppingTheDebouncerDuringARunDropsWhatWaits()
// hint: DebouncerTests/aCallAtTheVeryMomentSupersedes() moment
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var task: Task<Void, Never>?

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        task?.cancel()

        task = Task {
            do {
                try await clock.sleep(for: duration)
                await operation()
            } catch {
            }
        }
    }
}
