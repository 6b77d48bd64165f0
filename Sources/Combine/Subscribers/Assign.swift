extension Subscribers {
    /// A subscriber that asks for everything and keeps the latest value in a property of an object.
    public final class Assign<Root, Input>: Subscriber, Cancellable, CustomStringConvertible, CustomReflectable,
        CustomPlaygroundDisplayConvertible
    {
        public typealias Failure = Never

        private enum Status {
            case awaitingSubscription
            case subscribed(any Subscription)
            case terminal
        }

        private let lock = Lock()
        private var status = Status.awaitingSubscription
        private var target: Root?

        /// The object whose property is assigned; nil once the subscription is over.
        public var object: Root? {
            lock { target }
        }

        /// The property that is assigned.
        public let keyPath: ReferenceWritableKeyPath<Root, Input>

        /// A subscriber that assigns the property of the object.
        public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
            target = object
            self.keyPath = keyPath
        }

        public func receive(subscription: any Subscription) {
            lock.lock()
            guard case .awaitingSubscription = status else {
                lock.unlock()
                subscription.cancel()
                return
            }
            status = .subscribed(subscription)
            lock.unlock()
            subscription.request(.unlimited)
        }

        public func receive(_ value: Input) -> Subscribers.Demand {
            lock.lock()
            guard case .subscribed = status, let object = target else {
                lock.unlock()
                return .none
            }
            lock.unlock()
            object[keyPath: keyPath] = value
            return .none
        }

        public func receive(completion: Subscribers.Completion<Never>) {
            _ = release()
        }

        public func cancel() {
            release()?.subscription.cancel()
        }

        /// Empties the subscriber, if it has a subscription. The caller lets go of what it held outside of the lock.
        private func release() -> (subscription: any Subscription, target: Root?)? {
            lock {
                guard case .subscribed(let subscription) = status else { return nil }
                status = .terminal
                return (subscription, target.take())
            }
        }

        public var description: String { "Assign \(Root.self)." }

        public var customMirror: Mirror {
            let (object, status) = lock { (target, self.status) }
            let children: [Mirror.Child] = [
                ("object", object as Any), ("keyPath", keyPath), ("status", status),
            ]
            return Mirror(self, children: children)
        }

        public var playgroundDescription: Any { description }
    }
}

extension Publisher where Failure == Never {
    /// Keeps the latest value in a property of an object, which is held until the returned object is cancelled or gone.
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        let assign = Subscribers.Assign(object: object, keyPath: keyPath)
        subscribe(assign)
        return AnyCancellable(assign)
    }
}
