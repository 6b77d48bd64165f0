// mutant: debounce itself waits for the quiet period and the operation
// fails: DebouncerTests/aCallReturnsImmediately()
// fails: DebouncerTests/aCallDuringARunReturnsImmediately()
// fails: DebouncerTests/droppingTheDebouncerDropsWhatWaits()
// fails: DebouncerTests/droppingTheDebouncerDuringARunDropsWhatWaits()
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// hint: DebouncerTests/aCallReturnsImmediately() returns
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) async {
        lastCall += 1
        let call = lastCall
        try? await clock.sleep(for: duration)
        if call == lastCall {
            await operation()
        }
    }
}
