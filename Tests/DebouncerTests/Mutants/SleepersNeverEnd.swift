// mutant: a replaced call waits for ever instead of ending
// fails: DebouncerXCTests/testADiscardedOperationIsReleased
// hint: DebouncerXCTests/testADiscardedOperationIsReleased releasedDiscarded
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        lastCall += 1
        let call = lastCall
        Task { [weak self, clock, duration] in
            try? await clock.sleep(for: duration)
            while await self?.isLast(call) != true {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
            await operation()
        }
    }

    private func isLast(_ call: Int) -> Bool { call == lastCall }
}
