// right: one task that sleeps until the newest call is due, and then checks again
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private var waiting: (operation: @Sendable () async -> Void, due: Duration)?
    private var sleeper: Task<Void, Never>?

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
        elapsed = stopwatch(clock)
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        waiting = (operation, elapsed() + duration)
        guard sleeper == nil else { return }
        sleeper = Task { [weak self, clock] in
            while let turn = await self?.turn() {
                switch turn {
                case .sleep(let time):
                    do { try await clock.sleep(for: time) } catch { return }
                case .run(let operation):
                    Task { await operation() }
                }
            }
        }
    }

    private enum Turn {
        case sleep(Duration)
        case run(@Sendable () async -> Void)
    }

    private func turn() -> Turn? {
        guard let (operation, due) = waiting else {
            sleeper = nil
            return nil
        }
        let now = elapsed()
        guard now >= due else { return .sleep(due - now) }
        waiting = nil
        return .run(operation)
    }

    deinit {
        sleeper?.cancel()
    }
}

private func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
