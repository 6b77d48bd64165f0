/// Values that arrive over time have to be described before anybody waits for them. A publisher is that description:
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
    /// Attaches a subscriber to this publisher.
    // Transparent: in a chain of operators this would call itself with ever larger types, which the compiler takes for
    // a recursion without end and stops specializing.
    @_transparent
    public func subscribe<S>(_ subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
        receive(subscriber: subscriber)
    }

    /// Passes everything this publisher sends on to a subject, until the returned object is cancelled or gone.
    public func subscribe<S>(_ subject: S) -> AnyCancellable
    where S: Subject, Failure == S.Failure, Output == S.Output {
        let subscriber = SubjectSubscriber(subject)
        receive(subscriber: subscriber)
        return AnyCancellable(subscriber)
    }
}
