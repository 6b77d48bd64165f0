// mutant: runs the operation in a method of the actor, which keeps a released debouncer alive meanwhile
// fails: DebouncerTests/droppingTheDebouncerDuringARunDropsWhatWaits()
// hint: DebouncerTests/droppingTheDebouncerDuringARunDropsWhatWaits() droppedDuring
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0
    private var sleeping: Task<Void, Never>?

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    deinit {
        sleeping?.cancel()
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        sleeping?.cancel()
        lastCall += 1
        let call = lastCall
        sleeping = Task { [weak self, clock, duration] in
            do { try await clock.sleep(for: duration) } catch { return }
            await self?.run(call, operation)
        }
    }

    private func run(_ call: Int, _ operation: @escaping @Sendable () async -> Void) async {
        guard call == lastCall else { return }
        sleeping = nil
        await Task { await operation() }.value
    }
}
