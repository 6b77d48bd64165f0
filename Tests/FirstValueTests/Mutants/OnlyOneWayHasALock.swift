// mutant: `firstValue` looks at its flag without a lock
// fails: FirstValueTests/aRaceOfThreadsResumesOnce()
// hint: FirstValueTests/aRaceOfThreadsResumesOnce() dataRace
import Combine
import Foundation

/// Why there is no first value.
public enum FirstValueError: Error, Equatable {
    /// The publisher has finished, and has not sent a value.
    case finishedWithoutValue
}

/// Waits for one value. Everything is guarded by the lock, and nothing of others is called while it is held.
private final class Waiter<Input, Failure: Error>: Subscriber, @unchecked Sendable {
    private let lock = NSLock()
    private var continuation: CheckedContinuation<Input, Error>?
    private var outcome: Result<Input, Error>?
    private var subscription: (any Subscription)?

    func wait(_ continuation: CheckedContinuation<Input, Error>) {
        let outcome: Result<Input, Error>? = lock.withLock {
            if self.outcome == nil { self.continuation = continuation }
            return self.outcome
        }
        if let outcome { continuation.resume(with: outcome) }
    }

    func receive(subscription: any Subscription) {
        let isWanted = lock.withLock { () -> Bool in
            guard outcome == nil, self.subscription == nil else { return false }
            self.subscription = subscription
            return true
        }
        if isWanted { subscription.request(.max(1)) } else { subscription.cancel() }
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

    func cancel() { end(.failure(CancellationError())) }

    private func end(_ outcome: Result<Input, Error>) {
        let released = lock.withLock { () -> (CheckedContinuation<Input, Error>?, (any Subscription)?) in
            guard self.outcome == nil else { return (nil, nil) }
            self.outcome = outcome
            defer { continuation = nil; subscription = nil }
            return (continuation, subscription)
        }
        released.1?.cancel()
        released.0?.resume(with: outcome)
    }
}


extension Publisher where Failure == Never {
    /// The first value that the publisher sends.
    public var firstValue: Output {
        get async {
            let receiver = Receiver<Output, Never>()
            return try! await withCheckedThrowingContinuation { continuation in
                if receiver.begin(continuation) { subscribe(receiver) }
            }
        }
    }
}

extension Publisher {
    /// The first value that the publisher sends, or the error that it fails with.
    public var firstValueThrowing: Output {
        get async throws {
            let waiter = Waiter<Output, Failure>()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    waiter.wait(continuation)
                    subscribe(waiter)
                }
            } onCancel: {
                waiter.cancel()
            }
        }
    }
}
private final class Receiver<Input, Failure: Error>: Subscriber, @unchecked Sendable {
    private let lock = NSLock()
    private var continuation: CheckedContinuation<Input, Error>?
    private var subscription: (any Subscription)?
    private var isOver = false
    private var isCancelled = false

    /// Returns whether there is something to wait for.
    func begin(_ continuation: CheckedContinuation<Input, Error>) -> Bool {
        let begins = lock.withLock { () -> Bool in
            if !isCancelled { self.continuation = continuation }
            return !isCancelled
        }
        if !begins { continuation.resume(throwing: CancellationError()) }
        return begins
    }

    func receive(subscription: any Subscription) {
        let isWanted = lock.withLock { () -> Bool in
            guard !isCancelled, self.subscription == nil else { return false }
            self.subscription = subscription
            return true
        }
        if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
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

    func cancel() {
        let isWaiting = lock.withLock { () -> Bool in
            isCancelled = true
            return continuation != nil
        }
        if isWaiting { end(.failure(CancellationError())) }
    }

    private func end(_ outcome: Result<Input, Error>) {
        // Only the first call counts.
        guard !isOver else { return }
        isOver = true
        subscription?.cancel()
        continuation?.resume(with: outcome)
        lock.withLock {
            subscription = nil
            continuation = nil
        }
    }
}

