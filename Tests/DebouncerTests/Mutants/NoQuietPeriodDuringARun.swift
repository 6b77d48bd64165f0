// mutant: starts the operation of a call during a run as soon as the running one has ended
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// fails: DebouncerTests/aCallDuringARunHasItsOwnQuietPeriod()
// fails: DebouncerTests/aCallAfterARunReplacesWhatWaits()
// hint: DebouncerTests/aCallDuringARunHasItsOwnQuietPeriod() duringQuiet
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0
    private var isRunning = false
    private var next: (@Sendable () async -> Void)?
    private var sleeping: Task<Void, Never>?

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    deinit {
        sleeping?.cancel()
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        if isRunning {
            next = operation
            return
        }
        sleeping?.cancel()
        lastCall += 1
        let call = lastCall
        sleeping = Task { [weak self, clock, duration] in
            do { try await clock.sleep(for: duration) } catch { return }
            if await self?.begins(call) == true {
                await operation()
                while let next = await self?.nextOperation() { await next() }
            }
        }
    }

    private func begins(_ call: Int) -> Bool {
        guard call == lastCall else { return false }
        sleeping = nil
        isRunning = true
        return true
    }

    private func nextOperation() -> (@Sendable () async -> Void)? {
        defer { next = nil }
        isRunning = next != nil
        return next
    }
}
