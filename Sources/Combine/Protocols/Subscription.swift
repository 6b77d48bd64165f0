/// A subscriber that is flooded must be able to say how much it can take, and when it has had enough. It does so on its
/// subscription.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Asks for this many values more.
    func request(_ demand: Subscribers.Demand)
}
