import Combine
import Synchronization

/// A subscriber that returns at once hides an operator that calls it from two threads at a time: the calls hardly ever meet.
///
/// A subscriber that asks for everything and stays in each call until another call comes, or until no other thread is awake
/// that could make one. So two threads that call it meet, on a busy machine too. Each call records that it was called and
/// that it returned: calls that met show as `called, called`.
///
///     let subscriber = KataSupport.SlowSubscriber<Int, any Error>()
///     publisher.asyncMap { $0 }.subscribe(subscriber)
///     try await subscriber.calls.until(count: 2)
public final class SlowSubscriber<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    public let calls = Log<String>()
    private let subscription = Locked<(any Subscription)?>(nil)
    private let begun = Atomic<Int>(0)
    /// How often this may still look at the other threads: one that computes without end is never asleep.
    private let looks = Atomic<Int>(4_000)

    public init() {}

    public func receive(subscription: any Subscription) {
        self.subscription.withLock { $0 = subscription }
        subscription.request(.unlimited)
    }

    public func receive(_ input: Input) -> Subscribers.Demand {
        takeTime()
        return .none
    }

    public func receive(completion: Subscribers.Completion<Failure>) { takeTime() }

    private func takeTime() {
        // Recorded first: a call that has let another one go is in the record before that one returns.
        calls.record("called")
        let own = begun.add(1, ordering: .sequentiallyConsistent).newValue
        while begun.load(ordering: .sequentiallyConsistent) == own,
            looks.subtract(1, ordering: .relaxed).newValue >= 0,
            !ProcessActivity.uncounted({ ProcessActivity.isAsleep() })
        {}
        calls.record("returned")
    }
}
