// mutant: a wait that ends without a value stays in a list
// fails: FirstValueTests/nothingIsKeptAliveAfterAFailure()
// hint: FirstValueTests/nothingIsKeptAliveAfterAFailure() aliveFailure
import Combine
import Foundation

/// Why there is no first value.
public enum FirstValueError: Error, Equatable {
    /// The publisher has finished, and has not sent a value.
    case finishedWithoutValue
}

/// Keeps the waits alive while they wait.
private final class Registry: @unchecked Sendable {
    static let shared = Registry()

    private let lock = NSLock()
    private var waits: [ObjectIdentifier: AnyObject] = [:]

    func add(_ wait: AnyObject) { lock.withLock { waits[ObjectIdentifier(wait)] = wait } }

    func remove(_ wait: AnyObject) {
        let removed = lock.withLock { waits.removeValue(forKey: ObjectIdentifier(wait)) }
        _ = removed
    }
}

private final class Wait<Upstream: Publisher>: @unchecked Sendable {
    private let upstream: Upstream
    private let lock = NSLock()
    private var continuation: CheckedContinuation<Upstream.Output, Error>?
    private var outcome: Result<Upstream.Output, Error>?
    private var subscription: (any Subscription)?

    init(_ upstream: Upstream) { self.upstream = upstream }

    func start(_ continuation: CheckedContinuation<Upstream.Output, Error>) {
        let over: Result<Upstream.Output, Error>? = lock.withLock {
            if outcome == nil { self.continuation = continuation }
            return outcome
        }
        if let over {
            continuation.resume(with: over)
            return
        }
        Registry.shared.add(self)
        upstream.subscribe(Receiver(wait: self))
    }

    func receive(_ subscription: any Subscription) {
        let isWanted = lock.withLock { () -> Bool in
            guard outcome == nil, self.subscription == nil else { return false }
            self.subscription = subscription
            return true
        }
        if isWanted { subscription.request(.max(1)) } else { subscription.cancel() }
    }

    func succeed(_ value: Upstream.Output) {
        if end(.success(value)) { Registry.shared.remove(self) }
    }

    func complete(_ completion: Subscribers.Completion<Upstream.Failure>) {
        switch completion {
        case .finished:
            _ = end(.failure(FirstValueError.finishedWithoutValue))
        case .failure(let error):
            if end(.failure(error)) { Registry.shared.remove(self) }
        }
    }

    func cancel() {
        if end(.failure(CancellationError())) { Registry.shared.remove(self) }
    }

    private func end(_ outcome: Result<Upstream.Output, Error>) -> Bool {
        lock.lock()
        guard self.outcome == nil else {
            lock.unlock()
            return false
        }
        self.outcome = outcome
        let (continuation, subscription) = (self.continuation, self.subscription)
        self.continuation = nil
        self.subscription = nil
        lock.unlock()
        subscription?.cancel()
        continuation?.resume(with: outcome)
        return true
    }

    private final class Receiver: Subscriber {
        let wait: Wait
        init(wait: Wait) { self.wait = wait }
        func receive(subscription: any Subscription) { wait.receive(subscription) }
        func receive(_ input: Upstream.Output) -> Subscribers.Demand {
            wait.succeed(input)
            return .none
        }
        func receive(completion: Subscribers.Completion<Upstream.Failure>) { wait.complete(completion) }
    }
}

extension Publisher where Failure == Never {
    /// The first value that the publisher sends.
    public var firstValue: Output {
        get async {
            let wait = Wait(self)
            return try! await withCheckedThrowingContinuation { wait.start($0) }
        }
    }
}

extension Publisher {
    /// The first value that the publisher sends, or the error that it fails with.
    public var firstValueThrowing: Output {
        get async throws {
            let wait = Wait(self)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { wait.start($0) }
            } onCancel: {
                wait.cancel()
            }
        }
    }
}
