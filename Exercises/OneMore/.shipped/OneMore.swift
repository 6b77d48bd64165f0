import Combine

/// A subscriber that gets one value at a time.
public final class OneMore<Input>: Subscriber {
    public typealias Failure = Never

    private let handle: (Input) -> Void

    public init(handle: @escaping (Input) -> Void) {
        self.handle = handle
    }

    public func receive(subscription: any Subscription) {
        // Ask for the first value.
    }

    public func receive(_ input: Input) -> Subscribers.Demand {
        handle(input)
        // Ask for one more.
        return .none
    }

    public func receive(completion: Subscribers.Completion<Never>) {}
}
