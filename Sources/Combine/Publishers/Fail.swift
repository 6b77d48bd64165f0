/// A publisher that does nothing but fail.
public struct Fail<Output, Failure: Error>: Publisher {
    /// What it fails with.
    public let error: Failure

    /// A publisher that fails with this error.
    @inlinable
    public init(error: Failure) {
        self.error = error
    }

    /// The same where the types cannot be inferred.
    @inlinable
    public init(outputType: Output.Type, failure: Failure) {
        self.init(error: failure)
    }

    @inlinable
    public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(error))
    }
}

extension Fail: Equatable where Failure: Equatable {}
