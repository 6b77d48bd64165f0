/// Several subscribers may have to be in place before the first value: this publisher waits to be connected.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Begins to produce values, until the returned object is cancelled.
    func connect() -> any Cancellable
}
