// right: deliveries and notifications are events in one AsyncStream; a task reads it and makes the requests
import Combine
import Foundation

extension Subscribers {
    public final class OneByOneSink<Input, Failure: Error>: Subscriber, Cancellable {
        private enum Event {
            case delivered
            case notified
        }

        private let lock = NSLock()
        private var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
        private var receiveValue: ((Input) -> Void)?
        private var subscription: Subscription?
        private let events: AsyncStream<Event>
        private let continuation: AsyncStream<Event>.Continuation
        private var observer: NSObjectProtocol?

        public init(
            notificationName: Notification.Name,
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            self.receiveCompletion = receiveCompletion
            self.receiveValue = receiveValue
            (events, continuation) = AsyncStream.makeStream()
            let continuation = self.continuation
            observer = NotificationCenter.default.addObserver(forName: notificationName, object: nil, queue: nil) { _ in
                continuation.yield(.notified)
            }
        }

        deinit {
            continuation.finish()
            if let observer { NotificationCenter.default.removeObserver(observer) }
        }

        public func receive(subscription: Subscription) {
            lock.withLock { self.subscription = subscription }
            subscription.request(.max(1))
            Task { [weak self, events] in
                var isUnanswered = false
                for await event in events {
                    switch event {
                    case .delivered: isUnanswered = true
                    case .notified where isUnanswered:
                        isUnanswered = false
                        self?.current?.request(.max(1))
                    case .notified: break
                    }
                }
            }
        }

        private var current: Subscription? { lock.withLock { subscription } }

        public func receive(_ input: Input) -> Subscribers.Demand {
            continuation.yield(.delivered)
            lock.withLock { receiveValue }?(input)
            return .none
        }

        public func receive(completion: Subscribers.Completion<Failure>) {
            let receiveCompletion = lock.withLock { self.receiveCompletion }
            end()
            receiveCompletion?(completion)
        }

        public func cancel() {
            end()?.cancel()
        }

        @discardableResult
        private func end() -> Subscription? {
            continuation.finish()
            return lock.withLock {
                defer { (receiveCompletion, receiveValue, subscription) = (nil, nil, nil) }
                return subscription
            }
        }
    }
}

extension Publisher {
    public func oneByOneSink(
        _ notificationName: Notification.Name,
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.OneByOneSink<Output, Failure>(
            notificationName: notificationName,
            receiveCompletion: receiveCompletion,
            receiveValue: receiveValue
        )
        subscribe(sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    public func oneByOneSink(
        _ notificationName: Notification.Name,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        oneByOneSink(notificationName, receiveCompletion: { _ in }, receiveValue: receiveValue)
    }
}
