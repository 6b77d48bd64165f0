// mutant: asks for one value and leaves the subscription open
// fails: FirstValueTests/upstreamIsCancelledAfterTheValue()
// fails: FirstValueTests/anUpstreamThatSendsAtOnceIsCancelled()
// fails: FirstValueTests/nothingIsKeptAliveAfterTheValue()
// fails: FirstValueTests/aValueAsTheWaitBeginsArrives()
// hint: FirstValueTests/upstreamIsCancelledAfterTheValue() upstream
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            await withCheckedContinuation { continuation in
                subscribe(OneValue { continuation.resume(returning: $0) })
            }
        }
    }
}

extension Publisher {
    public var firstValueThrowing: Output {
        get async throws {
            for try await value in first().values {
                return value
            }
            try Task.checkCancellation()
            throw FirstValueError.finishedWithoutValue
        }
    }
}

private final class OneValue<Input>: Subscriber {
    private let take: (Input) -> Void
    private var subscription: Subscription?

    init(_ take: @escaping (Input) -> Void) {
        self.take = take
    }

    func receive(subscription: Subscription) {
        self.subscription = subscription
        subscription.request(.max(1))
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        take(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
}
