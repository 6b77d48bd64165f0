/// Runs an operation only when nobody has asked for another one for a while.
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0
    /// The task of the last call while it sleeps. Once its operation has started, nobody here knows it any more.
    private var sleeping: Task<Void, Never>?

    /// - Parameters:
    ///   - duration: How long it has to be quiet.
    ///   - clock: Whose time counts.
    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    deinit {
        sleeping?.cancel()
    }

    /// Takes the place of the operation that waits, if there is one, and runs once it has been quiet long enough.
    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        sleeping?.cancel()
        lastCall += 1
        let call = lastCall
        // The task must not keep the debouncer alive, or dropping it would drop nothing.
        sleeping = Task { [weak self, clock, duration] in
            do { try await clock.sleep(for: duration) } catch { return }
            if await self?.begins(call) == true {
                await operation()
            }
        }
    }

    /// Whether the call's operation may start. A sleep can end at the very moment of the next call, too late for a
    /// cancellation to stop it: which of the two was first is decided here, on the actor.
    private func begins(_ call: Int) -> Bool {
        guard call == lastCall else { return false }
        sleeping = nil
        return true
    }
}
