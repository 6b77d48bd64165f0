// right: a notification inside receiveValue is answered with the demand that receive(_:) returns
import Combine
import Foundation
import Synchronization

extension Subscribers {
    public final class OneByOneSink<Input, Failure: Error>: Subscriber, Cancellable {
        private enum Phase: Int, AtomicRepresentable {
            case waiting, delivering, answeredWhileDelivering, delivered, over
        }

        private let phase = Atomic(Phase.waiting)
        private let subscription = Mutex<Subscription?>(nil)
        private let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
        private let receiveValue: (Input) -> Void
        private var cancellable: AnyCancellable?

        public init(
            notificationName: Notification.Name,
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            self.receiveCompletion = receiveCompletion
            self.receiveValue = receiveValue
            cancellable = NotificationCenter.default.publisher(for: notificationName)
                .sink { [weak self] _ in self?.resume() }
        }

        public func receive(subscription: Subscription) {
            self.subscription.withLock { $0 = subscription }
            subscription.request(.max(1))
        }

        public func receive(_ input: Input) -> Subscribers.Demand {
            guard move(from: .waiting, to: .delivering) else { return .none }
            receiveValue(input)
            if move(from: .delivering, to: .delivered) { return .none }
            return move(from: .answeredWhileDelivering, to: .waiting) ? .max(1) : .none
        }

        public func receive(completion: Subscribers.Completion<Failure>) {
            guard phase.exchange(.over, ordering: .sequentiallyConsistent) != .over else { return }
            subscription.withLock { $0 = nil }
            receiveCompletion(completion)
        }

        public func cancel() {
            guard phase.exchange(.over, ordering: .sequentiallyConsistent) != .over else { return }
            let subscription = subscription.withLock { subscription in
                defer { subscription = nil }
                return subscription
            }
            subscription?.cancel()
        }

        private func resume() {
            if move(from: .delivering, to: .answeredWhileDelivering) { return }
            if move(from: .delivered, to: .waiting) { subscription.withLock { $0 }?.request(.max(1)) }
        }

        private func move(from old: Phase, to new: Phase) -> Bool {
            phase.compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged
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
