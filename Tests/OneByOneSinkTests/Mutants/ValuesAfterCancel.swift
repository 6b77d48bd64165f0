// mutant: letPass does not look whether the gate is closed, so a value that was asked for before is handed over after the sink has been cancelled
// fails: OneByOneSinkTests/nothingHappensAfterTheEnd()
// fails: OneByOneSinkTests/theEndMayMeetANotification()
// hint: OneByOneSinkTests/nothingHappensAfterTheEnd() arriveAfterCancel
import Combine
import Dispatch
import Foundation

extension Subscribers {
    /// A subscriber that asks for the next value when a notification says that it may.
    public final class OneByOneSink<Input, Failure: Error>: Subscriber, Cancellable {
        private let gate: Gate
        private let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
        private let receiveValue: (Input) -> Void

        public init(
            notificationName: Notification.Name,
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            self.gate = Gate(notificationName)
            self.receiveCompletion = receiveCompletion
            self.receiveValue = receiveValue
        }

        public func receive(subscription: any Subscription) {
            gate.open(subscription)
        }

        public func receive(_ input: Input) -> Subscribers.Demand {
            if gate.letPass() {
                receiveValue(input)
            }
            return .none
        }

        public func receive(completion: Subscribers.Completion<Failure>) {
            if gate.close() {
                receiveCompletion(completion)
            }
        }

        public func cancel() {
            gate.close(cancelling: true)
        }
    }
}

/// Counts the values that were asked for and those that came. They are equal while a notification is awaited.
private final class Gate: @unchecked Sendable {
    private let queue = DispatchQueue(label: "OneByOneSink.Gate")
    private var subscription: (any Subscription)?
    private var observer: (any NSObjectProtocol)?
    private var isClosed = false
    private var asked = 0
    private var passed = 0

    init(_ name: Notification.Name) {
        let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
            [weak self] _ in
            self?.answer()
        }
        queue.sync { self.observer = observer }
    }

    deinit {
        if let observer {
            NotificationCenter.default.removeObserver(observer)
        }
    }

    func open(_ subscription: any Subscription) {
        let accepted = queue.sync {
            guard !isClosed, self.subscription == nil else { return false }
            self.subscription = subscription
            asked = 1
            return true
        }
        if accepted {
            subscription.request(.max(1))
        } else {
            subscription.cancel()
        }
    }

    func letPass() -> Bool {
        queue.sync {
            guard passed < asked else { return false }
            passed += 1
            return true
        }
    }

    func answer() {
        let subscription = queue.sync { () -> (any Subscription)? in
            guard !isClosed, asked > 0, passed == asked else { return nil }
            asked += 1
            return self.subscription
        }
        subscription?.request(.max(1))
    }

    @discardableResult
    func close(cancelling: Bool = false) -> Bool {
        let (wasOpen, oldSubscription, oldObserver) = queue.sync {
            let old = (!isClosed, subscription, observer)
            isClosed = true
            subscription = nil
            observer = nil
            return old
        }
        if let oldObserver {
            NotificationCenter.default.removeObserver(oldObserver)
        }
        if cancelling {
            oldSubscription?.cancel()
        }
        return wasOpen
    }
}

extension Publisher {
    /// Hands over one value at a time: the next after each notification with this name.
    public func oneByOneSink(
        _ notificationName: Notification.Name,
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.OneByOneSink(
            notificationName: notificationName,
            receiveCompletion: receiveCompletion,
            receiveValue: receiveValue
        )
        subscribe(sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    /// Hands over one value at a time: the next after each notification with this name.
    public func oneByOneSink(
        _ notificationName: Notification.Name, receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        oneByOneSink(notificationName, receiveCompletion: { _ in }, receiveValue: receiveValue)
    }
}
