// mutant: keeps the operations that were replaced
// fails: DebouncerXCTests/testADiscardedOperationIsReleased
// hint: DebouncerXCTests/testADiscardedOperationIsReleased releasedDiscarded
/// Runs an operation only when nobody has asked for another one for a while.
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0
    private var operations: [Int: @Sendable () async -> Void] = [:]
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
        operations[call] = operation
        // The task must not keep the debouncer alive, or dropping it would drop nothing.
        sleeping = Task { [weak self, clock, duration] in
            do { try await clock.sleep(for: duration) } catch { return }
            await self?.begin(call)?()
        }
    }

    private func begin(_ call: Int) -> (@Sendable () async -> Void)? {
        guard call == lastCall else { return nil }
        sleeping = nil
        return operations.removeValue(forKey: call)
    }
}
