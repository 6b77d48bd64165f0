extension Subscribers {
    /// A subscriber that asks for everything and hands it to closures.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible,
        CustomReflectable, CustomPlaygroundDisplayConvertible
    {
        // All of it is guarded by the lock, so that nothing of it needs to be checked for overlapping access as well.
        @usableFromInline let lock = Lock()
        @usableFromInline @exclusivity(unchecked) var valueAction: ValueAction?
        @usableFromInline @exclusivity(unchecked) var completionAction: ((Subscribers.Completion<Failure>) -> Void)?
        @usableFromInline @exclusivity(unchecked) var subscription: (any Subscription)?
        @usableFromInline @exclusivity(unchecked) var isOver = false

        // Only these are touched without the lock.
        @usableFromInline let deliveries = Deliveries(isOpen: true)
        /// The action that the property above holds, and after the end the deliveries that are under way.
        @usableFromInline let receiver: Unmanaged<ValueAction>

        /// What is done with a value, in an object of its own: a delivery counts no reference to it.
        @usableFromInline
        final class ValueAction {
            @usableFromInline let perform: (Input) -> Void

            @inlinable
            init(perform: @escaping (Input) -> Void) {
                self.perform = perform
            }
        }

        /// A sink that hands its values and its completion to these closures.
        @inlinable
        public init(
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            let action = ValueAction(perform: receiveValue)
            valueAction = action
            receiver = .passUnretained(action)
            completionAction = receiveCompletion
        }

        /// What is done with each value.
        @inlinable
        public var receiveValue: (Input) -> Void {
            lock { valueAction }?.perform ?? { _ in }
        }

        /// What is done at the end.
        @inlinable
        public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
            lock { completionAction } ?? { _ in }
        }

        @inlinable
        public func receive(subscription: any Subscription) {
            lock.lock()
            guard self.subscription == nil, !isOver else {
                lock.unlock()
                subscription.cancel()
                return
            }
            self.subscription = subscription
            lock.unlock()
            subscription.request(.unlimited)
        }

        @inlinable
        public func receive(_ value: Input) -> Subscribers.Demand {
            guard deliveries.begin() else { return .none }
            // The delivery keeps the action alive: to hold it once more would cost as much as a lock.
            receiver._withUnsafeGuaranteedRef { $0.perform(value) }
            deliveries.end(of: self, to: receiver)
            return .none
        }

        // What the sink held goes once that is done which ends it, and outside of the lock.

        @inlinable
        public func receive(completion: Subscribers.Completion<Failure>) {
            lock.lock()
            let (subscription, value, action) = (subscription.take(), valueAction.take(), completionAction.take())
            endAndUnlock(value)
            action?(completion)
            withExtendedLifetime(value) {}
            withExtendedLifetime(subscription) {}
        }

        @inlinable
        public func cancel() {
            lock.lock()
            // Without a subscription it goes on, as Apple's does, and takes the one that comes.
            guard let subscription = subscription.take() else {
                lock.unlock()
                return
            }
            let (value, action) = (valueAction.take(), completionAction.take())
            endAndUnlock(value)
            subscription.cancel()
            withExtendedLifetime(value) {}
            withExtendedLifetime(action) {}
        }

        @inlinable
        func endAndUnlock(_ value: ValueAction?) {
            isOver = true
            deliveries.close()
            lock.unlock()
            if let value {
                deliveries.endAll(of: self, to: value)
            }
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
