import Combine

/// What a subscriber does to its publisher, and when, cannot be seen from the values that come out at the other end.
///
/// A publisher that the test drives: it sends on request, from any thread, and records every subscription,
/// request and cancellation. Demand counts the same whether it was requested or returned for a value.
///
///     let publisher = KataSupport.ProbePublisher<Int, Never>()
///     let subscription = publisher.oneByOneSink(name) { _ in }
///     publisher.send(7)
///     try KataSupport.expect(publisher.asked, equals: .max(1))
public final class ProbePublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
    /// How well the publisher keeps to the rules.
    public enum Conduct: Sendable {
        /// Sends what was asked for, and nothing after the end or a cancellation; what was not asked for is lost.
        case correct
        /// Sends whether or not anybody asked, until the end or a cancellation.
        case ignoresDemand
        /// Sends everything on request, also after the end and after a cancellation.
        case ignoresTheEnd
    }

    public enum Event: Equatable, Sendable, CustomStringConvertible {
        case subscribed
        /// More than nothing was asked for.
        case requested(Subscribers.Demand)
        case cancelled

        public var description: String {
            switch self {
            case .subscribed: "subscribed"
            case .requested(let demand): "requested \(demand.max.map { String($0) } ?? "unlimited")"
            case .cancelled: "cancelled"
            }
        }
    }

    private let conduct: Conduct
    private let log: Log<Event>
    private let connections = Locked<[Connection]>([])
    private let sent = Locked(0)
    /// How many subscribers have their subscription, and are done with taking it.
    private let handedOver = Observed(0)
    private let token: LeakProbe.Token?
    private let whenRequested: (@Sendable () -> Void)?

    /// - Parameters:
    ///   - token: What this publisher and each of its subscriptions keep alive.
    ///   - whenRequested: Runs on the thread of each request, while the subscriber waits for it to return.
    public init(
        _ conduct: Conduct = .correct, time: (any VirtualTime)? = nil, holding token: LeakProbe.Token? = nil,
        whenRequested: (@Sendable () -> Void)? = nil
    ) {
        self.conduct = conduct
        self.token = token
        self.whenRequested = whenRequested
        log = Log(time: time)
    }

    /// All that subscribers have done, in order.
    public var events: [Event] { log.events }
    public var subscriptions: Int { log.events.count { $0 == .subscribed } }
    public var cancellations: Int { log.events.count { $0 == .cancelled } }
    public var isCancelled: Bool { cancellations > 0 }

    /// All that has been asked for so far, by every subscriber.
    public var asked: Subscribers.Demand { Self.asked(log.events) }

    private static func asked(_ events: [Event]) -> Subscribers.Demand {
        events.reduce(.none) { sum, event in
            guard case .requested(let demand) = event else { return sum }
            return sum + demand
        }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let connection = Connection(subscriber, conduct: conduct, log: log, token: token, whenRequested: whenRequested)
        connections.withLock { $0.append(connection) }
        log.record(.subscribed)
        subscriber.receive(subscription: connection)
        handedOver.update { $0 += 1 }
    }

    /// Sends a value to every subscriber that may have it.
    public func send(_ value: Output) {
        sent.withLock { $0 += 1 }
        for connection in connections.withLock({ $0 }) { connection.send(value) }
    }

    /// Waits until more has been asked for than was sent, and sends a value then: an answer may subscribe when it likes.
    public func sendWhenAsked(_ value: Output) async throws {
        let sent = sent.withLock { $0 }
        try await log.until(all: { Self.asked($0) > .max(sent) })
        send(value)
    }

    /// Ends every subscription that is not over yet.
    public func send(completion: Subscribers.Completion<Failure>) {
        for connection in connections.withLock({ $0 }) { connection.send(completion) }
    }

    /// Waits until so many have subscribed and have taken their subscription: until then, nothing may be sent to them.
    public func subscribed(_ times: Int = 1) async throws {
        try await handedOver.until(showing: { "\($0)/\(times)" }) { $0 >= times }
    }

    /// Waits until so many subscriptions are cancelled.
    public func cancelled(_ times: Int = 1) async throws {
        try await log.until(
            for: .upstream, showing: { events in "\(events.count { $0 == .cancelled })/\(times)" },
            all: { $0.count { $0 == .cancelled } >= times })
    }

    /// Waits until at least so much has been asked for.
    public func asked(for demand: Subscribers.Demand) async throws {
        try await log.until(all: { Self.asked($0) >= demand })
    }

    /// The connection to one subscriber.
    private final class Connection: Subscription, Sendable {
        private struct State {
            var subscriber: (any Subscriber<Output, Failure>)?
            var demand = Subscribers.Demand.none
            var isOver = false
        }

        private let state: Locked<State>
        private let conduct: Conduct
        private let log: Log<Event>
        private let token: LeakProbe.Token?
        private let whenRequested: (@Sendable () -> Void)?

        init(
            _ subscriber: any Subscriber<Output, Failure>, conduct: Conduct, log: Log<Event>,
            token: LeakProbe.Token?, whenRequested: (@Sendable () -> Void)?
        ) {
            state = Locked(State(subscriber: subscriber))
            self.conduct = conduct
            self.log = log
            self.token = token
            self.whenRequested = whenRequested
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            state.withLock { $0.demand += demand }
            log.record(.requested(demand))
            whenRequested?()
        }

        func cancel() {
            let isFirst = state.withLock { state in
                defer { end(&state) }
                return !state.isOver
            }
            if isFirst { log.record(.cancelled) }
        }

        func send(_ value: Output) {
            let subscriber = state.withLock { state -> (any Subscriber<Output, Failure>)? in
                if conduct == .correct {
                    guard state.demand > .none else { return nil }
                    state.demand -= .max(1)
                }
                return state.subscriber
            }
            guard let subscriber else { return }
            request(subscriber.receive(value))
        }

        func send(_ completion: Subscribers.Completion<Failure>) {
            let subscriber = state.withLock { state in
                defer { end(&state) }
                return state.subscriber
            }
            subscriber?.receive(completion: completion)
        }

        private func end(_ state: inout State) {
            state.isOver = true
            if conduct != .ignoresTheEnd { state.subscriber = nil }
        }
    }
}

/// Compares what has been asked for with what should have been: too much and too little are mistakes of their own.
public func expect(_ actual: Subscribers.Demand, equals expected: Subscribers.Demand) throws {
    let kind: Finding.Kind = actual > expected ? .extra : actual == .none ? .nothing : .missing
    try Expectations.conclude(
        actual == expected
            ? nil
            : Mismatch(
                expected: "\(expected)", actual: "\(actual)", kind: kind,
                differences: [actual > expected ? .extraDemand : .missingDemand]),
        expected: "\(expected)")
}
