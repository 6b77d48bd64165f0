// mutant: each sleep that ends late enough runs the operation, so that calls at the same moment run it several times
// fails: DebouncerTests/callsAtTheSameMomentRunOneOperation()
// fails: DebouncerTests/anOperationThatHasRunIsReleased()
// fails: DebouncerXCTests/testADiscardedOperationIsReleased
// fails: DebouncerTests/aCallAtTheVeryMomentSupersedes()
// hint: DebouncerTests/callsAtTheSameMomentRunOneOperation() sameMoment
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private var operation: (@Sendable () async -> Void)?
    private var end = Duration.zero

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
        elapsed = Self.timer(clock)
    }

    private static func timer<C: Clock>(_ clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        self.operation = operation
        end = elapsed() + duration
        Task { [weak self, clock, duration] in
            try? await clock.sleep(for: duration)
            if let operation = await self?.operationInTime() { await operation() }
        }
    }

    private func operationInTime() -> (@Sendable () async -> Void)? {
        elapsed() >= end ? operation : nil
    }
}
