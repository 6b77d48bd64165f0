// mutant: the wait stores a closure that uses the wait, and never lets go of it
// fails: FirstValueTests/nothingIsKeptAliveAfterTheValue()
// fails: FirstValueTests/nothingIsKeptAliveAfterAFailure()
// fails: FirstValueTests/nothingIsKeptAliveAfterCancelling()
// hint: FirstValueTests/nothingIsKeptAliveAfterTheValue() alive
import Combine
import Synchronization

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

private final class Wait<Input, Failure: Error>: Subscriber, @unchecked Sendable {
    private struct State {
        var subscription: (any Subscription)?
        var result: Result<Input, any Error>?
        var whenOver: (() -> Void)?
    }

    private let state = Mutex(State())

    var result: Result<Input, any Error>? { state.withLock { $0.result } }

    func whenOver(_ body: @escaping () -> Void) {
        let isOver = state.withLock { state in
            state.whenOver = body
            return state.result != nil
        }
        if isOver { body() }
    }

    func receive(subscription: any Subscription) {
        let isOver = state.withLock { state in
            state.subscription = subscription
            return state.result != nil
        }
        if isOver { subscription.cancel() } else { subscription.request(.max(1)) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        end(.success(input))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: end(.failure(FirstValueError.finishedWithoutValue))
        case .failure(let error): end(.failure(error))
        }
    }

    func end(_ result: Result<Input, any Error>) {
        let (subscription, whenOver): ((any Subscription)?, (() -> Void)?) = state.withLock { state in
            guard state.result == nil else { return (nil, nil) }
            state.result = result
            return (state.subscription, state.whenOver)
        }
        subscription?.cancel()
        whenOver?()
    }
}

extension Publisher {
    public var firstValueThrowing: Output {
        get async throws {
            let wait = Wait<Output, Failure>()
            subscribe(wait)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    wait.whenOver {
                        if let result = wait.result { continuation.resume(with: result) }
                    }
                }
            } onCancel: {
                wait.end(.failure(CancellationError()))
            }
        }
    }
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            await withCheckedContinuation { continuation in
                let wait = Wait<Output, Never>()
                wait.whenOver {
                    if case .success(let value)? = wait.result { continuation.resume(returning: value) }
                }
                subscribe(wait)
            }
        }
    }
}
