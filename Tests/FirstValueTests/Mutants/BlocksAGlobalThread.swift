// mutant: a thread of the global queue waits with a condition
// fails: FirstValueTests/aWaitBlocksNoThread()
// hint: FirstValueTests/aWaitBlocksNoThread() blocks
import Combine
import Dispatch
import Foundation

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

/// What a publisher sends first, and the thread that waits for it.
private final class Mailbox<Output, Failure: Error>: Subscriber, @unchecked Sendable {
    private let condition = NSCondition()
    private var outcome: Result<Output, any Error>?
    private var subscription: (any Subscription)?

    func receive(subscription: any Subscription) {
        condition.lock()
        let isOver = outcome != nil
        if !isOver { self.subscription = subscription }
        condition.unlock()
        if isOver { subscription.cancel() } else { subscription.request(.max(1)) }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
        end(.success(input))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: end(.failure(FirstValueError.finishedWithoutValue))
        case .failure(let error): end(.failure(error))
        }
    }

    func end(_ outcome: Result<Output, any Error>) {
        condition.lock()
        guard self.outcome == nil else { return condition.unlock() }
        self.outcome = outcome
        let subscription = self.subscription
        self.subscription = nil
        condition.broadcast()
        condition.unlock()
        subscription?.cancel()
    }

    func wait() -> Result<Output, any Error> {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let outcome { return outcome }
            condition.wait()
        }
    }
}

extension Publisher {
    fileprivate func outcome(in mailbox: Mailbox<Output, Failure>) async -> Result<Output, any Error> {
        subscribe(mailbox)
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: mailbox.wait()) }
        }
    }

    public var firstValueThrowing: Output {
        get async throws {
            let mailbox = Mailbox<Output, Failure>()
            return try await withTaskCancellationHandler {
                try await outcome(in: mailbox).get()
            } onCancel: {
                mailbox.end(.failure(CancellationError()))
            }
        }
    }
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async { try! await outcome(in: Mailbox()).get() }
    }
}
