// mutant: a call awaits the operation that is running
// fails: DebouncerTests/aCallDuringARunReturnsImmediately()
// fails: DebouncerTests/aCallDuringARunHasItsOwnQuietPeriod()
// hint: DebouncerTests/aCallDuringARunReturnsImmediately() returnsDuring
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0
    private var running: Task<Void, Never>?
    private var sleeping: Task<Void, Never>?

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    deinit {
        sleeping?.cancel()
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) async {
        await running?.value
        sleeping?.cancel()
        lastCall += 1
        let call = lastCall
        sleeping = Task { [weak self, clock, duration] in
            do { try await clock.sleep(for: duration) } catch { return }
            await self?.begin(call, operation)
        }
    }

    private func begin(_ call: Int, _ operation: @escaping @Sendable () async -> Void) {
        guard call == lastCall else { return }
        sleeping = nil
        running = Task { await operation() }
    }
}
