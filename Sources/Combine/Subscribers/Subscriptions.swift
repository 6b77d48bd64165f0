/// The namespace of what is known of subscriptions in general.
public enum Subscriptions {}

extension Subscriptions {
    /// A subscription to a publisher that has nothing to send: for publishers which end at once.
    public static var empty: any Subscription { EmptySubscription.shared }

    private struct EmptySubscription: Subscription, StageDescription {
        static let shared = EmptySubscription()

        let combineIdentifier = CombineIdentifier()

        func request(_ demand: Subscribers.Demand) {}

        func cancel() {}

        var description: String { "Empty" }
    }
}
