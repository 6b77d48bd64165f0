// mutant: the first attempt in the article: the next value is asked for as soon as receiveValue returns
// fails: OneByOneSinkTests/theValueIsHandedOver()
// fails: OneByOneSinkXCTests/testTwoNamesDoNotWakeEachOther
// fails: OneByOneSinkTests/aNotificationWithoutAValueAddsNoDemand()
// fails: OneByOneSinkTests/notificationsFromTwoThreadsCountOnce()
// fails: OneByOneSinkTests/nothingHappensAfterTheEnd()
// fails: OneByOneSinkTests/nothingIsKeptAliveAfterTheEnd()
// fails: OneByOneSinkTests/cancellingInsideReceiveValueAsksForNothing()
// fails: OneByOneSinkTests/theEndMayMeetANotification()
// hint: OneByOneSinkTests/theValueIsHandedOver() before
import Combine
import Foundation

public extension Subscribers {
    final class OneByOneSink<Input, Failure: Error>: Subscriber, Cancellable {
        let receiveValue: (Input) -> Void
        let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

        var subscription: Subscription?

        public init(notificationName: Notification.Name,
                    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
                    receiveValue: @escaping (Input) -> Void) {
            self.receiveCompletion = receiveCompletion
            self.receiveValue = receiveValue
        }

        public func receive(subscription: Subscription) {
            self.subscription = subscription
            subscription.request(.max(1))
        }

        public func receive(_ input: Input) -> Subscribers.Demand {
            receiveValue(input)
            return .max(1)
        }

        public func receive(completion: Subscribers.Completion<Failure>) {
            receiveCompletion(completion)
        }

        public func cancel() {
            subscription?.cancel()
            subscription = nil
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
