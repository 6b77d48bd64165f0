// mutant: keeps a value and a failure that come early, and forgets an early end
// fails: FirstValueTests/aPublisherThatEndsAtOnceThrows()
// hint: FirstValueTests/aPublisherThatEndsAtOnceThrows() endsAtOnce
import Combine
import Synchronization

/// Why there is no first value.
public enum FirstValueError: Error, Equatable {
    /// The publisher has finished, and has not sent a value.
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    /// The first value that the publisher sends.
    public var firstValue: Output {
        get async {
            let receiver = Receiver<Output, Never>()
            subscribe(receiver)
            return try! await receiver.result()
        }
    }
}

extension Publisher {
    /// The first value that the publisher sends, or the error that it fails with.
    public var firstValueThrowing: Output {
        get async throws {
            let receiver = Receiver<Output, Failure>()
            subscribe(receiver)
            return try await withTaskCancellationHandler {
                try await receiver.result()
            } onCancel: {
                receiver.settle(.failure(CancellationError()))
            }
        }
    }
}

private final class Receiver<Input, Failure: Error>: Subscriber, @unchecked Sendable {
    private let mutex = Mutex(())
    private var settled: Result<Input, Error>?
    private var waiting: CheckedContinuation<Input, Error>?
    private var subscription: (any Subscription)?

    func result() async throws -> Input {
        try await withCheckedThrowingContinuation { continuation in
            let early = mutex.withLock { _ -> Result<Input, Error>? in
                if settled == nil { waiting = continuation }
                return settled
            }
            if let early { continuation.resume(with: early) }
        }
    }

    func receive(subscription: any Subscription) {
        mutex.withLock { _ in self.subscription = subscription }
        subscription.request(.max(1))
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        settle(.success(input))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .failure(let error):
            settle(.failure(error))
        case .finished:
            let continuation = mutex.withLock { _ -> CheckedContinuation<Input, Error>? in
                defer { waiting = nil }
                subscription = nil
                return waiting
            }
            continuation?.resume(throwing: FirstValueError.finishedWithoutValue)
        }
    }

    func settle(_ result: Result<Input, Error>) {
        var continuation: CheckedContinuation<Input, Error>?
        var upstream: (any Subscription)?
        mutex.withLock { _ in
            guard settled == nil else { return }
            settled = result
            continuation = waiting
            upstream = subscription
            waiting = nil
            subscription = nil
        }
        upstream?.cancel()
        continuation?.resume(with: result)
    }
}
