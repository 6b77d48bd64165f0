/// What a state machine says is to be done with a subscription that has come.
@usableFromInline
enum SubscriptionAction: Equatable {
    /// There is one already, or the end has come.
    case cancel
    /// Downstream gets its own.
    case announce
    /// It is asked for what downstream asked for before it came.
    case request(Subscribers.Demand)

    @inlinable
    func perform(with subscription: any Subscription, announce: () -> Void = {}) {
        switch self {
        case .cancel: subscription.cancel()
        case .announce: announce()
        case .request(.none): break
        case .request(let demand): subscription.request(demand)
        }
    }
}
