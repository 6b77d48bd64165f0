/// Values that arrive over time have to be described before a subscriber waits for them. A publisher is that description:
/// it produces values of `Output` for each subscriber, and may end with a `Failure`.
public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error

    /// Attaches a subscriber. Call `subscribe(_:)` rather than this requirement.
    func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input
}

/// The namespace of the publishers that operators return.
public enum Publishers {}

extension Publisher {
    // Transparent: a chain calls this once a stage, each time with a larger type, which the optimizer would take for an
    // endless recursion and not specialise.
    /// Attaches a subscriber to this publisher.
    @_transparent
    public func subscribe<S>(_ subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
        receive(subscriber: subscriber)
    }
}
