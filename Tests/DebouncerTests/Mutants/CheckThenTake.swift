// mutant: the task first asks the actor whether its call is the latest and takes the operation in a second await, so a call in between is run at once instead of after its quiet period
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// hint: DebouncerTests/aCallAtTheVeryMomentSupersedes() moment.meets
/// Runs an operation only when nobody has asked for another one for a while.
public actor Debouncer {
    public typealias Operation = @Sendable () async -> Void

    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastID = 0
    private var waiting: (id: Int, operation: Operation)?
    private var sleeper: Task<Void, Never>?

    /// - Parameters:
    ///   - duration: How long it has to be quiet.
    ///   - clock: Whose time counts.
    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    deinit {
        sleeper?.cancel()
    }

    /// Takes the place of the operation that waits, if there is one, and runs once it has been quiet long enough.
    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        sleeper?.cancel()
        lastID += 1
        let id = lastID
        waiting = (id, operation)
        let sleep = quietPeriod(of: duration, on: clock)
        sleeper = Task { [weak self] in
            do { try await sleep() } catch { return }
            guard await self?.isLatest(id) == true else { return }
            let operation = await self?.take()
            await operation?()
        }
    }

    private func isLatest(_ id: Int) -> Bool {
        waiting?.id == id
    }

    private func take() -> Operation? {
        guard let waiting else { return nil }
        self.waiting = nil
        sleeper = nil
        return waiting.operation
    }
}

/// The period begins now, not when the returned function is called.
private func quietPeriod<C: Clock>(
    of duration: Duration, on clock: C
) -> @Sendable () async throws -> Void where C.Duration == Duration {
    let deadline = clock.now.advanced(by: duration)
    return { try await clock.sleep(until: deadline, tolerance: nil) }
}
