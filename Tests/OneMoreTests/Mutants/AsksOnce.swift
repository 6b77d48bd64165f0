// mutant: asks for the first value only
// fails: OneMoreXCTests/testEachValueAsksForOneMore
// hint: OneMoreXCTests/testEachValueAsksForOneMore more
import Combine

public final class OneMore<Input>: Subscriber {
    public typealias Failure = Never

    private let handle: (Input) -> Void

    public init(handle: @escaping (Input) -> Void) {
        self.handle = handle
    }

    public func receive(subscription: any Subscription) {
        subscription.request(.max(1))
    }

    public func receive(_ input: Input) -> Subscribers.Demand {
        handle(input)
        return .none
    }

    public func receive(completion: Subscribers.Completion<Never>) {}
}
