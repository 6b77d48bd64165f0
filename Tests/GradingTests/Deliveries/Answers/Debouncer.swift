import Synchronization

/// Runs an operation only when nobody has asked for another one for a while.
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private let waiting = WaitingOperation()
    private let deliver = Delivery()
    /// The task of the last call.
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
        waiting.discard()
    }

    /// Takes the place of the operation that waits, if there is one, and runs once it has been quiet long enough.
    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        sleeping?.cancel()
        let call = waiting.replace(with: operation)
        // The task must not keep the debouncer alive, or dropping it would drop nothing.
        sleeping = Task { [waiting, deliver, clock, duration] in
            do { try await clock.sleep(for: duration) } catch { return }
            deliver {
                // Whether the operation may start is decided here. Nobody can cancel it from then on.
                guard let operation = waiting.take(call) else { return }
                Task { await operation() }
            }
        }
    }
}

/// The operation of the last call, until it starts.
private final class WaitingOperation: Sendable {
    typealias Operation = @Sendable () async -> Void

    private let last = Mutex<(call: Int, operation: Operation?)>((0, nil))

    func replace(with operation: @escaping Operation) -> Int {
        // What is replaced is let go of outside of the lock.
        let (call, _) = last.withLock { last in
            let replaced = last.operation
            last = (last.call + 1, operation)
            return (last.call, replaced)
        }
        return call
    }

    func take(_ call: Int) -> Operation? {
        last.withLock { last in
            guard last.call == call else { return nil }
            defer { last.operation = nil }
            return last.operation
        }
    }

    func discard() {
        _ = last.withLock { last in
            defer { last = (last.call + 1, nil) }
            return last.operation
        }
    }
}
