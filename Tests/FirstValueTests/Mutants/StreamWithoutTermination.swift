// mutant: the stream has no onTermination, so a cancelled wait leaves its subscription
// fails: FirstValueXCTests/testCancellingTheTaskCancelsTheUpstream
// fails: FirstValueTests/aTaskThatIsCancelledBeforehandLeavesNoSubscription()
// fails: FirstValueTests/nothingIsKeptAliveAfterCancelling()
// hint: FirstValueXCTests/testCancellingTheTaskCancelsTheUpstream cancelledUpstream.stream
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
            await withCheckedContinuation { continuation in
                subscribe(
                    FirstEvent<Output, Never> { event in
                        switch event {
                        case .value(let value): continuation.resume(returning: value)
                        case .completion: preconditionFailure("The publisher has finished without a value.")
                        }
                    })
            }
        }
    }
}

extension Publisher {
    /// The first value that the publisher sends, or the error that it fails with.
    public var firstValueThrowing: Output {
        get async throws {
            let stream = AsyncThrowingStream<Output, any Error>(bufferingPolicy: .bufferingOldest(1)) { continuation in
                let subscriber = FirstEvent<Output, Failure> { event in
                    switch event {
                    case .value(let value):
                        continuation.yield(value)
                        continuation.finish()
                    case .completion(.finished):
                        continuation.finish()
                    case .completion(.failure(let error)):
                        continuation.finish(throwing: error)
                    }
                }
                subscribe(subscriber)
            }
            for try await value in stream {
                return value
            }
            try Task.checkCancellation()
            throw FirstValueError.finishedWithoutValue
        }
    }
}

/// Reports the first event of a publisher, once, and ends the subscription.
private final class FirstEvent<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
    enum Event {
        case value(Input)
        case completion(Subscribers.Completion<Failure>)
    }

    private let lock = NSLock()
    private var handler: ((Event) -> Void)?
    private var subscription: (any Subscription)?

    init(handler: @escaping (Event) -> Void) {
        self.handler = handler
    }

    func receive(subscription: any Subscription) {
        lock.lock()
        guard handler != nil, self.subscription == nil else {
            lock.unlock()
            subscription.cancel()
            return
        }
        self.subscription = subscription
        lock.unlock()
        subscription.request(.max(1))
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        end(with: .value(input))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        end(with: .completion(completion))
    }

    func cancel() {
        let (_, subscription) = take()
        subscription?.cancel()
    }

    private func end(with event: Event) {
        let (handler, subscription) = take()
        if case .value = event { subscription?.cancel() }
        handler?(event)
    }

    private func take() -> (((Event) -> Void)?, (any Subscription)?) {
        lock.lock()
        defer { lock.unlock() }
        let taken = (handler, subscription)
        handler = nil
        subscription = nil
        return taken
    }
}
