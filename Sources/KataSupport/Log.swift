/// What happened, in which order, at what time: three questions that a test of asynchronous code asks together.
///
/// A record of events with their virtual times. Any thread may write; the test waits until as much has happened as it
/// expects.
///
///     let log = KataSupport.Log<String>(time: clock)
///     log.input("a")                                  // in the test, which starts the operation with it
///     log.record("started")                           // in the operation
///     try await log.until(count: 3)
///     try log.expect([("started", at: .zero)])
public final class Log<Event: Sendable>: Sendable {
    public struct Entry: Sendable {
        public var event: Event
        /// The virtual time at which it happened.
        public var time: Duration
    }

    private let recorded = Observed<[Entry]>([])
    private let inputs = Locked<[Finding.MarblePair.Event]>([])
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

    /// "Expected b at 300 ms" says little without the time at which b was sent.
    ///
    /// Notes what the test sends or does now. It is no event of the history: it has a row of its own where `expect` shows
    /// expected and actual.
    public func input(_ label: String) {
        let now = time?.elapsed ?? .zero
        inputs.withLock { $0.append(.init(milliseconds: now.inMilliseconds, label: label)) }
    }

    /// Waits until at least so many events are recorded, and returns them all.
    @discardableResult
    public func until(count: Int) async throws -> [Event] {
        try await recorded.until(showing: { History.text($0.map(\.event)) }) { $0.count >= count }.map(\.event)
    }

    /// Waits until an event of this kind is recorded.
    public func until(_ isWanted: @escaping (Event) -> Bool) async throws {
        try await until(all: { $0.contains(where: isWanted) })
    }

    /// Waits until all that is recorded satisfies the condition.
    func until(
        for expectation: Expectation = .event, showing: (@Sendable ([Event]) -> String)? = nil,
        all isWanted: @escaping ([Event]) -> Bool
    ) async throws {
        let show = showing ?? { History.text($0) }
        try await recorded.until(for: expectation, showing: { show($0.map(\.event)) }) { isWanted($0.map(\.event)) }
    }
}

extension Log where Event: Equatable {
    /// Compares the whole history, events and virtual times, and draws them where they differ from what is expected.
    public func expect(_ expected: [(event: Event, time: Duration)]) throws {
        try expect(expected.map { (String(describing: $0.event), $0.time) }, showing: { String(describing: $0) })
    }
}

extension Log {
    /// Compares the whole history as it is shown, for events that cannot be compared themselves.
    func expect(_ expected: [(event: String, time: Duration)], showing text: (Event) -> String) throws {
        let expected = expected.map { Finding.MarblePair.Event(milliseconds: $0.time.inMilliseconds, label: $0.event) }
        let actual = entries.map {
            Finding.MarblePair.Event(milliseconds: $0.time.inMilliseconds, label: text($0.event))
        }
        func mismatch(_ actual: [Finding.MarblePair.Event]) -> Mismatch {
            Mismatch(input: inputs.withLock { $0 }, expected: expected, actual: actual)
        }
        try Expectations.conclude(actual == expected ? nil : mismatch(actual), nothing: mismatch([]))
    }
}
