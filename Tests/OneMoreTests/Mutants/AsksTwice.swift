// mutant: requests one more and returns one more, which is two
// fails: OneMoreXCTests/testEachValueAsksForOneMore
// hint: OneMoreXCTests/testEachValueAsksForOneMore more
import Combine

public final class OneMore<Input>: Subscriber {
    public typealias Failure = Never

    private let handle: (Input) -> Void
    private var subscription: (any Subscription)?

    public init(handle: @escaping (Input) -> Void) {
        self.handle = handle
    }

    public func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.max(1))
    }

    public func receive(_ input: Input) -> Subscribers.Demand {
        handle(input)
        subscription?.request(.max(1))
        return .max(1)
    }

    public func receive(completion: Subscribers.Completion<Never>) {}
}
