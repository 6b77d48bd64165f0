/// Receives values from a publisher, and says how many it wants.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    associatedtype Input
    associatedtype Failure: Error

    /// Tells the subscriber that it may request values now.
    func receive(subscription: any Subscription)

    /// Hands over one value; what is returned is added to the demand.
    func receive(_ input: Input) -> Subscribers.Demand

    /// Tells the subscriber that nothing more will come.
    func receive(completion: Subscribers.Completion<Failure>)
}

/// The namespace of the types that receive values.
public enum Subscribers {}

extension Subscriber where Input == Void {
    /// Hands over one value that carries nothing but its arrival.
    public func receive() -> Subscribers.Demand {
        receive(())
    }
}
