// mutant: `cancel()` calls `receiveCompletion(.finished)`
// fails: OneByOneSinkTests/nothingHappensAfterTheEnd()
// fails: OneByOneSinkTests/theEndMayMeetANotification()
// hint: OneByOneSinkTests/nothingHappensAfterTheEnd() general.cancelIsNoCompletion
import Combine
import Foundation

extension Subscribers {
    public final class OneByOneSink<Input, Failure: Error>: Subscriber, Cancellable {
        private let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
        private let receiveValue: (Input) -> Void
        private let lock = NSLock()
        private var subscription: Subscription?
        private var observer: NSObjectProtocol?
        private var isAwaitingNotification = false
        private var isOver = false

        public init(
            notificationName: Notification.Name,
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            self.receiveCompletion = receiveCompletion
            self.receiveValue = receiveValue
            observer = NotificationCenter.default.addObserver(forName: notificationName, object: nil, queue: nil) {
                [weak self] _ in self?.resume()
            }
        }

        deinit {
            if let observer { NotificationCenter.default.removeObserver(observer) }
        }

        public func receive(subscription: Subscription) {
            lock.lock()
            self.subscription = subscription
            lock.unlock()
            subscription.request(.max(1))
        }

        public func receive(_ input: Input) -> Subscribers.Demand {
            lock.lock()
            let isOver = self.isOver
            isAwaitingNotification = !isOver
            lock.unlock()
            if !isOver { receiveValue(input) }
            return .none
        }

        public func receive(completion: Subscribers.Completion<Failure>) {
            lock.lock()
            let wasOver = isOver
            isOver = true
            subscription = nil
            lock.unlock()
            if !wasOver { receiveCompletion(completion) }
        }

        public func cancel() {
            lock.lock()
            let subscription = self.subscription
            let wasOver = isOver
            isOver = true
            self.subscription = nil
            lock.unlock()
            subscription?.cancel()
            if !wasOver { receiveCompletion(.finished) }
        }

        private func resume() {
            lock.lock()
            let subscription = isAwaitingNotification && !isOver ? self.subscription : nil
            isAwaitingNotification = false
            lock.unlock()
            subscription?.request(.max(1))
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
