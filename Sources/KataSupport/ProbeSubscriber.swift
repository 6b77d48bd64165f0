import Combine

/// `sink` asks for everything, so it cannot show what an operator does with demand, or before anybody asks.
///
/// A subscriber that asks for as much as the test says, and records whatever comes.
///
///     let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(demand: .none)
///     publisher.asyncMap { $0 }.subscribe(subscriber)
///     subscriber.request(.max(2))
///     try await subscriber.received(2)
public final class ProbeSubscriber<Input: Sendable, Failure: Error>: Subscriber, Cancellable, Sendable {
    public enum Event: Sendable, CustomStringConvertible {
        case value(Input)
        case finished
        case failed(Failure)

        public var description: String {
            switch self {
            // A text of its own first: an answer may give any type another way of being written.
            case .value(let value): (value as? any CustomStringConvertible)?.description ?? String(describing: value)
            case .finished: "|"
            case .failed(let error): "x \((error as? KataSupport.Failure)?.name ?? String(describing: error))"
            }
        }

        fileprivate var isEnd: Bool {
            if case .value = self { false } else { true }
        }
    }

    private struct State {
        var subscription: (any Subscription)?
        /// What was asked for before there was a subscription: an answer may subscribe on a queue.
        var earlyDemand = Subscribers.Demand.none
        var isOver = false
    }

    private let log: Log<Event>
    private let state = Locked(State())
    private let firstDemand: Subscribers.Demand
    private let nextDemand: Subscribers.Demand

    /// - Parameters:
    ///   - demand: What is asked for as soon as there is a subscription.
    ///   - nextDemand: What is returned for each value.
    public init(
        demand: Subscribers.Demand = .unlimited, returning nextDemand: Subscribers.Demand = .none,
        time: (any VirtualTime)? = nil
    ) {
        firstDemand = demand
        self.nextDemand = nextDemand
        log = Log(time: time)
    }

    /// All that has come, in order.
    public var events: [Event] { log.events }
    /// All that has come, in order, as marble diagrams show it: values, `|` for the end, `x` for a failure.
    public var history: [String] { log.events.map(\.description) }
    public var values: [Input] {
        log.events.compactMap { event in
            guard case .value(let value) = event else { return nil }
            return value
        }
    }
    /// The failure, or else all values.
    public var result: Result<[Input], any Error> {
        for case .failed(let error) in log.events { return .failure(error) }
        return .success(values)
    }
    /// Whether there was a completion of either kind.
    public var isEnded: Bool { log.events.contains(where: \.isEnd) }

    public func request(_ demand: Subscribers.Demand) {
        let subscription = state.withLock { state in
            if state.subscription == nil { state.earlyDemand += demand }
            return state.subscription
        }
        subscription?.request(demand)
    }

    /// Cancels the subscription and lets go of it.
    public func cancel() {
        let subscription = state.withLock { state in
            defer { state = State(isOver: true) }
            return state.subscription
        }
        subscription?.cancel()
    }

    public func receive(subscription: any Subscription) {
        let demand: Subscribers.Demand? = state.withLock { state in
            guard !state.isOver, state.subscription == nil else { return nil }
            state.subscription = subscription
            return firstDemand + state.earlyDemand
        }
        guard let demand else { return subscription.cancel() }
        if demand > .none { subscription.request(demand) }
    }

    public func receive(_ input: Input) -> Subscribers.Demand {
        log.record(.value(input))
        return nextDemand
    }

    public func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: log.record(.finished)
        case .failure(let error): log.record(.failed(error))
        }
    }

    /// Waits until so many values have come, or no more can come.
    public func received(_ count: Int) async throws {
        try await log.until(all: { $0.count >= count || $0.contains(where: \.isEnd) })
    }

    /// Waits until there is a completion of either kind.
    public func ended() async throws {
        try await log.until(all: { $0.contains(where: \.isEnd) })
    }

    /// A result that is late for one input may be early for another.
    ///
    /// Notes what the test sends or does now, which `expect` shows in a row above expected and actual.
    public func input(_ label: String) { log.input(label) }

    /// Compares the whole history, events and virtual times, and draws them where they differ from what is expected.
    public func expect(_ expected: [(event: String, time: Duration)]) throws {
        try log.expect(expected, showing: \.description)
    }
}
