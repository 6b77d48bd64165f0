import Combine
import Foundation
import Synchronization

extension Subscribers {
    /// A subscriber that takes one value at a time, and asks for the next when a notification says that this one is dealt with.
    ///
    /// Values, the completion and what a notification asks for go through a `Delivery`.
    public final class OneByOneSink<Input, Failure: Error>: Subscriber, Cancellable {
        private struct Actions {
            let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
            let receiveValue: (Input) -> Void
        }

        private enum State {
            case unsubscribed(Actions)
            case subscribed(any Subscription, Actions, isToBeAnswered: Bool)
            /// The completion is there, but has not been handed over yet.
            case completing(Actions)
            case ended
        }

        private let state: Mutex<State>
        private let deliver = Delivery()
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
                state = .subscribed(subscription, actions, isToBeAnswered: false)
                return true
            }
            guard isExpected else { return subscription.cancel() }
            // At once: a subject would lose what it sends before it is asked.
            subscription.request(.max(1))
        }

        public func receive(_ input: Input) -> Subscribers.Demand {
            let isExpected = state.withLock { state in
                guard case .subscribed = state else { return false }
                return true
            }
            if isExpected {
                deliver { self.handOver(input) }
            }
            return .none
        }

        private func handOver(_ input: Input) {
            // First the state, then the value: the answer may be posted before `receiveValue` returns.
            let actions: Actions? = state.withLock { state in
                switch state {
                case .subscribed(let subscription, let actions, _):
                    state = .subscribed(subscription, actions, isToBeAnswered: true)
                    return actions
                case .completing(let actions):
                    return actions
                case .unsubscribed, .ended:
                    return nil
                }
            }
            actions?.receiveValue(input)
        }

        public func receive(completion: Subscribers.Completion<Failure>) {
            answers?.cancel()
            // What has been there is let go of outside of the lock.
            let last: State = state.withLock { state in
                let last = state
                switch state {
                case .subscribed(_, let actions, _): state = .completing(actions)
                case .unsubscribed: state = .ended
                case .completing, .ended: break
                }
                return last
            }
            guard case .subscribed = last else { return }
            deliver { self.handOver(completion) }
        }

        private func handOver(_ completion: Subscribers.Completion<Failure>) {
            if case .completing(let actions) = end() {
                actions.receiveCompletion(completion)
            }
        }

        public func cancel() {
            answers?.cancel()
            if case .subscribed(let subscription, _, _) = end() {
                subscription.cancel()
            }
        }

        /// Whether a notification counts is decided here and now. What it asks for is asked for later.
        private func answer() {
            let counts = state.withLock { state in
                guard case .subscribed(let subscription, let actions, isToBeAnswered: true) = state else {
                    return false
                }
                state = .subscribed(subscription, actions, isToBeAnswered: false)
                return true
            }
            if counts {
                deliver { self.askForNext() }
            }
        }

        private func askForNext() {
            let subscription: (any Subscription)? = state.withLock { state in
                guard case .subscribed(let subscription, _, _) = state else { return nil }
                return subscription
            }
            subscription?.request(.max(1))
        }

        /// Returns what has ended, so that it is let go of outside of the lock.
        private func end() -> State {
            state.withLock { state in
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
