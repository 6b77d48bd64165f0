import Combine

/// The lock of a `ProbePublisher` keeps racing threads apart, so that an answer without a lock of its own would pass.
///
/// A publisher without a lock, for one subscriber, which lets several threads into it at the same moment. It has no second
/// subscriber, and threads may send only when a value was asked for:
///
///     try await publisher.asked()
///     try await racers.race { thread in publisher.send(thread) }
public final class UnguardedPublisher<Output, Failure: Error>: Publisher, Subscription, @unchecked Sendable {
    // The subscriber is set before there are threads.
    private var subscriber: (any Subscriber<Output, Failure>)?
    private let requested = Observed(Subscribers.Demand.none)

    public init() {}

    /// What was asked for so far.
    public var demand: Subscribers.Demand { requested.value }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        self.subscriber = subscriber
        subscriber.receive(subscription: self)
    }

    public func request(_ demand: Subscribers.Demand) { requested.update { $0 += demand } }

    public func cancel() {}

    /// Waits until a value was asked for.
    public func asked() async throws { try await requested.until { $0 > .none } }

    public func send(_ value: Output) { _ = subscriber?.receive(value) }
}
