/// A publisher without a value. It ends at once, or never.
public struct Empty<Output, Failure: Error>: Publisher, Equatable {
    /// Whether it ends at once.
    public let completeImmediately: Bool

    /// An empty publisher that ends at once, or never.
    @inlinable
    public init(completeImmediately: Bool = true) {
        self.completeImmediately = completeImmediately
    }

    /// The same where the types cannot be inferred.
    @inlinable
    public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        self.init(completeImmediately: completeImmediately)
    }

    @inlinable
    public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {
        subscriber.receive(subscription: Subscriptions.empty)
        if completeImmediately {
            subscriber.receive(completion: .finished)
        }
    }
}
