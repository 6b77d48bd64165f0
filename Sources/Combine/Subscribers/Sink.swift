extension Subscribers {
    /// A subscriber that asks for everything and hands it to closures.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible,
        CustomReflectable, CustomPlaygroundDisplayConvertible
    {
        @usableFromInline
        enum State {
            case awaiting
            case subscribed(any Subscription)
            case terminal
        }

        @usableFromInline let lock = Lock()
        @usableFromInline var valueAction: ((Input) -> Void)?
        @usableFromInline var completionAction: ((Subscribers.Completion<Failure>) -> Void)?
        @usableFromInline var state = State.awaiting

        /// A sink that hands its values and its completion to these closures.
        @inlinable
        public init(
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            valueAction = receiveValue
            completionAction = receiveCompletion
        }

        /// What is done with each value.
        @inlinable
        public var receiveValue: (Input) -> Void {
            lock { valueAction } ?? { _ in }
        }

        /// What is done at the end.
        @inlinable
        public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
            lock { completionAction } ?? { _ in }
        }

        @inlinable
        public func receive(subscription: any Subscription) {
            lock.lock()
            guard case .awaiting = state else {
                lock.unlock()
                subscription.cancel()
                return
            }
            state = .subscribed(subscription)
            lock.unlock()
            subscription.request(.unlimited)
        }

        @inlinable
        public func receive(_ value: Input) -> Subscribers.Demand {
            lock.lock()
            let action = valueAction
            lock.unlock()
            action?(value)
            return .none
        }

        @inlinable
        public func receive(completion: Subscribers.Completion<Failure>) {
            lock.lock()
            let released = release()
            lock.unlock()
            released.completion?(completion)
        }

        @inlinable
        public func cancel() {
            lock.lock()
            // Without a subscription it goes on, as Apple's does, and takes the one that comes.
            guard case .subscribed(let subscription) = state else {
                lock.unlock()
                return
            }
            let released = release()
            lock.unlock()
            _ = released
            subscription.cancel()
        }

        /// Empties the sink. The caller lets go of what it held outside of the lock.
        @inlinable
        func release() -> (
            state: State, value: ((Input) -> Void)?, completion: ((Subscribers.Completion<Failure>) -> Void)?
        ) {
            let released = (state, valueAction, completionAction)
            state = .terminal
            valueAction = nil
            completionAction = nil
            return released
        }

        public var description: String { "Sink" }

        public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

        public var playgroundDescription: Any { description }
    }
}

extension Publisher {
    /// Hands every value and the completion to closures, until the returned object is cancelled or gone.
    @inlinable
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        subscribe(sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    /// Hands every value to a closure, until the returned object is cancelled or gone.
    @inlinable
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }
}
