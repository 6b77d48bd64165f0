// mutant: looks at the state and changes it in two steps, so that a sink that has ended in between goes on
// fails: OneByOneSinkTests/notificationsFromTwoThreadsCountOnce()
// fails: OneByOneSinkTests/theEndMayMeetANotification()
// hint: OneByOneSinkTests/notificationsFromTwoThreadsCountOnce() threads
import Combine
import Foundation
import Synchronization

extension Subscribers {
    /// A subscriber that takes one value at a time, and asks for the next when a notification says that this one is dealt with.
    ///
    /// One notification answers one value. It may come from any thread, and as early as from inside `receiveValue`.
    public final class OneByOneSink<Input, Failure: Error>: Subscriber, Cancellable {
        private struct Actions {
            let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
            let receiveValue: (Input) -> Void
        }

        private enum State {
            case unsubscribed(Actions)
            case waitingForValue(any Subscription, Actions)
            /// A value has been delivered and not been answered yet.
            case waitingForAnswer(any Subscription, Actions)
            case ended
        }

        private let state: Mutex<State>
        private var answers: AnyCancellable?  // set once, in `init`

        public init(
            notificationName: Notification.Name,
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            state = Mutex(.unsubscribed(Actions(receiveCompletion: receiveCompletion, receiveValue: receiveValue)))
            answers = NotificationCenter.default.publisher(for: notificationName)
                .sink { [weak self] _ in self?.answer() }
        }

        public func receive(subscription: any Subscription) {
            let isExpected = state.withLock { state in
                guard case .unsubscribed(let actions) = state else { return false }
                state = .waitingForValue(subscription, actions)
                return true
            }
            guard isExpected else { return subscription.cancel() }
            subscription.request(.max(1))
        }

        public func receive(_ input: Input) -> Subscribers.Demand {
            // First the state, then the value: the answer may be posted before `receiveValue` returns.
            let actions: Actions? = state.withLock { state in
                switch state {
                case .waitingForValue(let subscription, let actions), .waitingForAnswer(let subscription, let actions):
                    state = .waitingForAnswer(subscription, actions)
                    return actions
                case .unsubscribed, .ended:
                    return nil
                }
            }
            actions?.receiveValue(input)
            return .none
        }

        public func receive(completion: Subscribers.Completion<Failure>) {
            switch end() {
            case .waitingForValue(_, let actions), .waitingForAnswer(_, let actions):
                actions.receiveCompletion(completion)
            case .unsubscribed, .ended:
                break
            }
        }

        public func cancel() {
            switch end() {
            case .waitingForValue(let subscription, _), .waitingForAnswer(let subscription, _):
                subscription.cancel()
            case .unsubscribed, .ended:
                break
            }
        }

        private func answer() {
            guard case .waitingForAnswer(let subscription, let actions) = state.withLock({ $0 }) else { return }
            state.withLock { $0 = .waitingForValue(subscription, actions) }
            subscription.request(.max(1))
        }

        /// Returns what has ended, so that it is let go of outside of the lock.
        private func end() -> State {
            answers?.cancel()
            return state.withLock { state in
                defer { state = .ended }
                return state
            }
        }
    }
}

extension Publisher {
    /// Hands over one value at a time: the next when a notification with this name has been posted.
    public func oneByOneSink(
        _ notificationName: Notification.Name,
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.OneByOneSink<Output, Failure>(
            notificationName: notificationName, receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        subscribe(sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    /// Hands over one value at a time: the next when a notification with this name has been posted.
    public func oneByOneSink(
        _ notificationName: Notification.Name, receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        oneByOneSink(notificationName, receiveCompletion: { _ in }, receiveValue: receiveValue)
    }
}
