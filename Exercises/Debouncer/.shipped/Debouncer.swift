/// Runs an operation only when nobody has asked for another one for a while.
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - duration: How long it has to be quiet.
    ///   - clock: Whose time counts.
    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    /// Takes the place of the operation that waits, if there is one, and runs once it has been quiet long enough.
    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        // Write this method.
    }
}
