// mutant: asks for all values, as `sink` does
// fails: OneMoreTests/oneValueIsAskedForFirst()
// fails: OneMoreXCTests/testEachValueAsksForOneMore
// hint: OneMoreTests/oneValueIsAskedForFirst() first
import Combine

public final class OneMore<Input>: Subscriber {
    public typealias Failure = Never

    private let handle: (Input) -> Void

    public init(handle: @escaping (Input) -> Void) {
        self.handle = handle
    }

    public func receive(subscription: any Subscription) {
        subscription.request(.unlimited)
    }

    public func receive(_ input: Input) -> Subscribers.Demand {
        handle(input)
        return .none
    }

    public func receive(completion: Subscribers.Completion<Never>) {}
}
