// mutant: `receive(_:)` delivers the value from a new task, so a completion that follows directly is used first
// fails: FirstValueTests/theCompletionDoesNotOvertakeTheValue()
// fails: FirstValueTests/aTaskThatIsCancelledBeforehandDoesNotHang()
// fails: FirstValueTests/aTaskThatIsCancelledBeforehandLeavesNoSubscription()
// hint: FirstValueTests/theCompletionDoesNotOvertakeTheValue() overtakes.subscriber
import Combine
import Foundation

/// Why there is no first value.
public enum FirstValueError: Error, Equatable {
    /// The publisher has finished, and has not sent a value.
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    /// The first value that the publisher sends.
    public var firstValue: Output {
        get async {
            let subscriber = FirstSubscriber<Output, Never>()
            do {
                return try await subscriber.value(of: self)
            } catch {
                preconditionFailure("The publisher has finished without a value.")
            }
        }
    }
}

extension Publisher {
    /// The first value that the publisher sends, or the error that it fails with.
    public var firstValueThrowing: Output {
        get async throws {
            let subscriber = FirstSubscriber<Output, Failure>()
            return try await withTaskCancellationHandler {
                try await subscriber.value(of: self)
            } onCancel: {
                subscriber.cancel()
            }
        }
    }
}

/// Waits for one event, and resumes its continuation with it.
private final class FirstSubscriber<Input, Failure: Error>: Subscriber, @unchecked Sendable {
    private let lock = NSLock()
    private var continuation: CheckedContinuation<Input, Error>?
    private var subscription: Subscription?
    private var isDone = false

    func value<P: Publisher>(of publisher: P) async throws -> Input
    where P.Output == Input, P.Failure == Failure {
        try await withCheckedThrowingContinuation { continuation in
            if begin(continuation) {
                publisher.subscribe(self)
            }
        }
    }

    func cancel() {
        finish(.failure(CancellationError()))
    }

    func receive(subscription: Subscription) {
        lock.lock()
        guard !isDone, self.subscription == nil else {
            lock.unlock()
            subscription.cancel()
            return
        }
        self.subscription = subscription
        lock.unlock()
        subscription.request(.max(1))
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        Task { self.finish(.success(input)) }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: finish(.failure(FirstValueError.finishedWithoutValue))
        case .failure(let error): finish(.failure(error))
        }
    }

    /// Stores the continuation. If the task is cancelled already, resumes it, and returns false.
    private func begin(_ continuation: CheckedContinuation<Input, Error>) -> Bool {
        lock.lock()
        guard !isDone else {
            lock.unlock()
            continuation.resume(throwing: CancellationError())
            return false
        }
        self.continuation = continuation
        lock.unlock()
        return true
    }

    private func finish(_ result: Result<Input, Error>) {
        lock.lock()
        guard !isDone else {
            lock.unlock()
            return
        }
        isDone = true
        let continuation = self.continuation
        let subscription = self.subscription
        self.continuation = nil
        self.subscription = nil
        lock.unlock()
        subscription?.cancel()
        continuation?.resume(with: result)
    }
}
