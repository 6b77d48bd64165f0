// mutant: the flag is atomic, and the subscription is read and released on two threads
// fails: OneByOneSinkTests/theEndMayMeetANotification()
// hint: OneByOneSinkTests/theEndMayMeetANotification() dataRace
import Combine
import Foundation
import Synchronization

extension Subscribers {
    public final class OneByOneSink<Input, Failure: Error>: Subscriber, Cancellable {
        private let isUnanswered = Atomic(false)
        private let isOver = Atomic(false)
        private var subscription: Subscription?
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
            self.subscription = subscription
            subscription.request(.max(1))
        }

        public func receive(_ input: Input) -> Subscribers.Demand {
            guard !isOver.load(ordering: .sequentiallyConsistent) else { return .none }
            isUnanswered.store(true, ordering: .sequentiallyConsistent)
            receiveValue(input)
            return .none
        }

        public func receive(completion: Subscribers.Completion<Failure>) {
            guard !isOver.exchange(true, ordering: .sequentiallyConsistent) else { return }
            subscription = nil
            receiveCompletion(completion)
        }

        public func cancel() {
            guard !isOver.exchange(true, ordering: .sequentiallyConsistent) else { return }
            subscription?.cancel()
            subscription = nil
        }

        private func resume() {
            guard isUnanswered.exchange(false, ordering: .sequentiallyConsistent) else { return }
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
