// mutant: `bufferingNewest(n)` drops the oldest value only when there are more than n, so it keeps n + 1 values
// fails: CombineAsyncPublisherTests/bufferingNewestKeepsTheNewest()
// hint: CombineAsyncPublisherTests/bufferingNewestKeepsTheNewest() policy.extra
import Combine
import Foundation

/// The values of a publisher as an asynchronous sequence.
public struct CombineAsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output
    public typealias Policy = AsyncStream<P.Output>.Continuation.BufferingPolicy

    private let upstream: P
    private let bufferingPolicy: Policy

    public init(
        _ upstream: P, bufferingPolicy: AsyncStream<P.Output>.Continuation.BufferingPolicy = .unbounded
    ) {
        self.upstream = upstream
        self.bufferingPolicy = bufferingPolicy
    }

    public func makeAsyncIterator() -> Iterator {
        let inbox = Inbox(policy: bufferingPolicy)
        upstream.subscribe(inbox)
        return Iterator(owner: Owner(inbox))
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let owner: Owner

        public mutating func next() async -> P.Output? {
            await owner.inbox.next()
        }
    }

    /// Lives as long as the iterator and its copies.
    fileprivate final class Owner {
        let inbox: Inbox

        init(_ inbox: Inbox) {
            self.inbox = inbox
        }

        deinit {
            inbox.cancel()
        }
    }

    /// Keeps the values until somebody asks for them.
    fileprivate final class Inbox: Subscriber, @unchecked Sendable {
        typealias Input = P.Output
        typealias Failure = Never
        typealias Waiter = CheckedContinuation<P.Output?, Never>

        private let policy: Policy
        private let lock = NSLock()
        private var buffer: [P.Output] = []
        private var waiters: [Waiter] = []
        private var subscription: (any Subscription)?
        private var isOver = false

        init(policy: Policy) {
            self.policy = policy
        }

        func next() async -> P.Output? {
            await withTaskCancellationHandler {
                await withCheckedContinuation { (waiter: Waiter) in
                    lock.lock()
                    if !buffer.isEmpty {
                        let value = buffer.removeFirst()
                        lock.unlock()
                        waiter.resume(returning: value)
                    } else if isOver {
                        lock.unlock()
                        waiter.resume(returning: nil)
                    } else {
                        waiters.append(waiter)
                        lock.unlock()
                    }
                }
            } onCancel: {
                cancel()
            }
        }

        func receive(subscription: any Subscription) {
            let isWanted = lock.withLock {
                guard !isOver, self.subscription == nil else { return false }
                self.subscription = subscription
                return true
            }
            if isWanted {
                subscription.request(.unlimited)
            } else {
                subscription.cancel()
            }
        }

        func receive(_ input: P.Output) -> Subscribers.Demand {
            // A dropped value is released outside the lock.
            let (waiter, _) = lock.withLock { () -> (Waiter?, P.Output?) in
                guard !isOver else { return (nil, nil) }
                guard waiters.isEmpty else { return (waiters.removeFirst(), nil) }
                return (nil, store(input))
            }
            waiter?.resume(returning: input)
            return .none
        }

        private func store(_ value: P.Output) -> P.Output? {
            var dropped: P.Output?
            switch policy {
            case .bufferingOldest(let limit):
                if buffer.count < limit { buffer.append(value) }
            case .bufferingNewest(let limit):
                guard limit > 0 else { return nil }
                if buffer.count > limit { dropped = buffer.removeFirst() }
                buffer.append(value)
            default:
                buffer.append(value)
            }
            return dropped
        }

        func receive(completion: Subscribers.Completion<Never>) {
            let (waiters, _) = lock.withLock {
                let all = (self.waiters, subscription)
                isOver = true
                self.waiters = []
                subscription = nil
                return all
            }
            waiters.forEach { $0.resume(returning: nil) }
        }

        func cancel() {
            let (waiters, subscription, _) = lock.withLock {
                let all = (self.waiters, self.subscription, buffer)
                isOver = true
                self.waiters = []
                self.subscription = nil
                buffer = []
                return all
            }
            subscription?.cancel()
            waiters.forEach { $0.resume(returning: nil) }
        }
    }
}

extension Publisher where Failure == Never {
    /// The values of this publisher, for `for await`.
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
