// right: calls and the ends of sleeps are events of one stream, read by one task
public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private let events: AsyncStream<Event>.Continuation

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
        let (stream, events) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        Task {
            var calls = 0
            var waiting: (@Sendable () async -> Void)?
            var sleeper: Task<Void, Error>?
            for await event in stream {
                switch event {
                case .call(let operation):
                    sleeper?.cancel()
                    calls += 1
                    waiting = operation
                    sleeper = Task { [calls] in
                        try await clock.sleep(for: duration)
                        events.yield(.timeIsUp(call: calls))
                    }
                case .timeIsUp(let call):
                    guard call == calls, let operation = waiting else { break }
                    waiting = nil
                    Task { await operation() }
                }
            }
            sleeper?.cancel()
        }
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        events.yield(.call(operation))
    }

    deinit {
        events.finish()
    }

    private enum Event: Sendable {
        case call(@Sendable () async -> Void)
        case timeIsUp(call: Int)
    }
}
