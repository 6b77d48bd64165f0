import Combine
import Foundation

extension Subscribers {
    /// A subscriber that asks for the next value when a notification says that it may.
    public final class OneByOneSink<Input, Failure: Error>: Subscriber, Cancellable {
        private let notificationName: Notification.Name
        private let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
        private let receiveValue: (Input) -> Void

        public init(
            notificationName: Notification.Name,
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            self.notificationName = notificationName
            self.receiveCompletion = receiveCompletion
            self.receiveValue = receiveValue
            // Write the rest of this initializer.
        }

        public func receive(subscription: any Subscription) {
            // Write this function.
        }

        public func receive(_ input: Input) -> Subscribers.Demand {
            // Write this function.
            .none
        }

        public func receive(completion: Subscribers.Completion<Failure>) {
            // Write this function.
        }

        public func cancel() {
            // Write this function.
        }
    }
}

extension Publisher {
    /// Hands over one value at a time: the next after each notification with this name.
    public func oneByOneSink(
        _ notificationName: Notification.Name,
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        // Write this function.
        AnyCancellable {}
    }
}

extension Publisher where Failure == Never {
    /// Hands over one value at a time: the next after each notification with this name.
    public func oneByOneSink(
        _ notificationName: Notification.Name, receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        // Write this function.
        AnyCancellable {}
    }
}
