/// What happened, in which order, at what time: three questions that a test of asynchronous code asks together.
///
/// A record of events with their virtual times. Any thread may write; the test waits until as much has happened as it
/// expects.
///
///     let log = KataSupport.Log<String>(time: clock)
///     log.record("started")
///     try await log.until(count: 3)
///     try log.expect([("started", at: .zero)])
public final class Log<Event: Sendable>: Sendable {
    public struct Entry: Sendable {
        public var event: Event
        /// The virtual time at which it happened.
        public var time: Duration
    }

    private let recorded = Observed<[Entry]>([])
    private let time: (any VirtualTime)?

    public init(time: (any VirtualTime)? = nil) {
        self.time = time
    }

    public var entries: [Entry] { recorded.value }
    public var events: [Event] { recorded.value.map(\.event) }

    public func record(_ event: Event) {
        let now = time?.elapsed ?? .zero
        recorded.update { $0.append(Entry(event: event, time: now)) }
    }

    /// Waits until at least so many events are recorded, and returns them all.
    @discardableResult
    public func until(count: Int) async throws -> [Event] {
        try await recorded.until { $0.count >= count }.map(\.event)
    }

    /// Waits until an event of this kind is recorded.
    public func until(_ isWanted: @escaping (Event) -> Bool) async throws {
        try await recorded.until { $0.contains { isWanted($0.event) } }
    }
}

extension Log where Event: Equatable {
    /// Compares the whole history, events and virtual times, and shows both as marble diagrams where they differ.
    public func expect(_ expected: [(event: Event, time: Duration)]) throws {
        let actual = entries
        let isEqual =
            actual.count == expected.count
            && zip(actual, expected).allSatisfy { $0.event == $1.event && $0.time == $1.time }
        guard !isEqual else { return }
        throw Mismatch(
            expected: Self.history(expected.map { Entry(event: $0.event, time: $0.time) }),
            actual: Self.history(actual))
    }

    private static func history(_ entries: [Entry]) -> [Finding.MarblePair.Event] {
        entries.map { .init(milliseconds: $0.time.inMilliseconds, label: String(describing: $0.event)) }
    }
}
