// right: a subscriber of its own, with a lock around the state of the wait
import Combine
import Foundation

/// Why there is no first value.
public enum FirstValueError: Error, Equatable {
    /// The publisher has finished, and has not sent a value.
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    /// The first value that the publisher sends. The publisher has to send one: there is no way to tell that it did not.
    public var firstValue: Output {
        get async {
            await withCheckedContinuation { continuation in
                let subscriber = FirstValueSubscriber<Output, Never>()
                subscriber.begin(with: self) { result in
                    guard case .success(let value) = result else {
                        preconditionFailure("firstValue needs a publisher that sends a value before it finishes.")
                    }
                    continuation.resume(returning: value)
                }
            }
        }
    }
}

extension Publisher {
    /// The first value that the publisher sends, or the error that it fails with.
    ///
    /// Throws `FirstValueError.finishedWithoutValue` if the publisher finishes first, and `CancellationError` if the task is
    /// cancelled first.
    public var firstValueThrowing: Output {
        get async throws {
            let subscriber = FirstValueSubscriber<Output, Failure>()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    subscriber.begin(with: self) { continuation.resume(with: $0) }
                }
            } onCancel: {
                subscriber.cancel()
            }
        }
    }
}

/// Asks for one value and ends with whatever comes first: that value, a completion, or a cancellation.
private final class FirstValueSubscriber<Input, Failure: Error>: Subscriber, @unchecked Sendable {
    typealias End = (Result<Input, Error>) -> Void

    private enum State {
        case new
        case subscribing(End)
        case waiting(Subscription, End)
        case over
    }

    private let lock = NSLock()
    private var state = State.new  // only reached with the lock held

    func begin<P: Publisher>(with publisher: P, end: @escaping End) where P.Output == Input, P.Failure == Failure {
        let isNew = lock.withLock {
            guard case .new = state else { return false }
            state = .subscribing(end)
            return true
        }
        if isNew {
            publisher.subscribe(self)
        } else {
            end(.failure(CancellationError()))  // cancelled before it began
        }
    }

    func receive(subscription: Subscription) {
        let isWanted = lock.withLock {
            guard case .subscribing(let end) = state else { return false }
            state = .waiting(subscription, end)
            return true
        }
        if isWanted {
            subscription.request(.max(1))
        } else {
            subscription.cancel()
        }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        end(with: .success(input))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: end(with: .failure(FirstValueError.finishedWithoutValue))
        case .failure(let error): end(with: .failure(error))
        }
    }

    func cancel() {
        end(with: .failure(CancellationError()))
    }

    /// The first to get here takes what is there, and leaves nothing for the others.
    private func end(with result: Result<Input, Error>) {
        let last = lock.withLock {
            defer { state = .over }
            return state
        }
        switch last {
        case .new, .over: break
        case .subscribing(let end): end(result)
        case .waiting(let subscription, let end):
            subscription.cancel()
            end(result)
        }
    }
}
