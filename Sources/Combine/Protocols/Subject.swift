/// Imperative code needs a way to publish values: a subject is a publisher with methods that send them.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Sends a value to every subscriber that asked for one.
    func send(_ value: Output)

    /// Ends the subject for every subscriber.
    func send(completion: Subscribers.Completion<Failure>)

    /// Hands the subject a subscription to a publisher whose values it is to pass on.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Sends a value that carries nothing but its arrival.
    public func send() {
        send(())
    }
}
