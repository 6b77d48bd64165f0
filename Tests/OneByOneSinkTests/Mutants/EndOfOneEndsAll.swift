// mutant: the end of one sink ends the listening of all sinks with the same name
// fails: OneByOneSinkXCTests/testTwoSinksDoNotAffectEachOther
// hint: OneByOneSinkXCTests/testTwoSinksDoNotAffectEachOther oneEnds
import Combine
import Foundation

/// Who listens to each name, and the one observer that tells them.
private nonisolated(unsafe) var listeners: [Notification.Name: (observer: NSObjectProtocol, resume: [() -> Void])] = [:]
private let listenersLock = NSLock()

private func listen(to name: Notification.Name, _ resume: @escaping () -> Void) {
    listenersLock.withLock {
        if listeners[name] == nil {
            let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                let actions = listenersLock.withLock { listeners[name]?.resume ?? [] }
                for action in actions { action() }
            }
            listeners[name] = (observer, [])
        }
        listeners[name]?.resume.append(resume)
    }
}

private func stopListening(to name: Notification.Name) {
    let removed = listenersLock.withLock { listeners.removeValue(forKey: name) }
    if let removed { NotificationCenter.default.removeObserver(removed.observer) }
}

extension Subscribers {
    public final class OneByOneSink<Input, Failure: Error>: Subscriber, Cancellable {
        private let name: Notification.Name
        private let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
        private let receiveValue: (Input) -> Void
        private let lock = NSLock()
        private var subscription: Subscription?
        private var isAwaitingNotification = false
        private var isOver = false

        public init(
            notificationName: Notification.Name,
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            self.receiveCompletion = receiveCompletion
            self.receiveValue = receiveValue
            name = notificationName
            listen(to: name) { [weak self] in self?.resume() }
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
            if wasOver { return }
            stopListening(to: name)
            receiveCompletion(completion)
        }

        public func cancel() {
            lock.lock()
            let subscription = self.subscription
            let wasOver = isOver
            isOver = true
            self.subscription = nil
            lock.unlock()
            if !wasOver { stopListening(to: name) }
            subscription?.cancel()
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
