// right: a subscriber, a lock, an array and a continuation, without AsyncStream
import Combine
import Foundation

public struct CombineAsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output

    private let upstream: P
    private let bufferingPolicy: AsyncStream<P.Output>.Continuation.BufferingPolicy

    public init(
        _ upstream: P, bufferingPolicy: AsyncStream<P.Output>.Continuation.BufferingPolicy = .unbounded
    ) {
        self.upstream = upstream
        self.bufferingPolicy = bufferingPolicy
    }

    public func makeAsyncIterator() -> Iterator {
        let mailbox = Mailbox(policy: bufferingPolicy)
        upstream.subscribe(mailbox)
        return Iterator(mailbox: mailbox)
    }

    public final class Iterator: AsyncIteratorProtocol {
        private let mailbox: Mailbox

        fileprivate init(mailbox: Mailbox) {
            self.mailbox = mailbox
        }

        deinit {
            mailbox.close()
        }

        public func next() async -> P.Output? {
            await withTaskCancellationHandler {
                await withCheckedContinuation { mailbox.take($0) }
            } onCancel: { [mailbox] in
                mailbox.close()
            }
        }
    }

    fileprivate final class Mailbox: Subscriber, @unchecked Sendable {
        private let lock = NSLock()
        private let policy: AsyncStream<P.Output>.Continuation.BufferingPolicy
        private var subscription: Subscription?
        private var values: [P.Output] = []
        private var reader: CheckedContinuation<P.Output?, Never>?
        private var isClosed = false

        init(policy: AsyncStream<P.Output>.Continuation.BufferingPolicy) {
            self.policy = policy
        }

        func receive(subscription: Subscription) {
            lock.withLock { self.subscription = subscription }
            subscription.request(.unlimited)
        }

        func receive(_ input: P.Output) -> Subscribers.Demand {
            let reader: CheckedContinuation<P.Output?, Never>? = lock.withLock {
                guard !isClosed else { return nil }
                if let reader = self.reader {
                    self.reader = nil
                    return reader
                }
                switch policy {
                case .unbounded:
                    values.append(input)
                case .bufferingOldest(let limit):
                    if values.count < limit { values.append(input) }
                case .bufferingNewest(let limit):
                    values = (values + [input]).suffix(limit)
                @unknown default:
                    values.append(input)
                }
                return nil
            }
            reader?.resume(returning: input)
            return .none
        }

        func receive(completion: Subscribers.Completion<Never>) {
            let reader = lock.withLock {
                isClosed = true
                subscription = nil
                defer { self.reader = nil }
                return self.reader
            }
            reader?.resume(returning: nil)
        }

        func take(_ reader: CheckedContinuation<P.Output?, Never>) {
            let value: P.Output?? = lock.withLock {
                if !values.isEmpty { return .some(values.removeFirst()) }
                if isClosed { return .some(nil) }
                self.reader = reader
                return nil
            }
            if let value { reader.resume(returning: value) }
        }

        func close() {
            let (reader, subscription) = lock.withLock {
                isClosed = true
                values = []
                defer { (self.reader, self.subscription) = (nil, nil) }
                return (self.reader, self.subscription)
            }
            subscription?.cancel()
            reader?.resume(returning: nil)
        }
    }
}

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
