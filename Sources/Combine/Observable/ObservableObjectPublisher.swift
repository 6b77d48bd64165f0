/// Tells that an object is about to change.
public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never

    private let lock = Lock()
    private var conduits = Conduits<Void, Never>.none

    public init() {}

    public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == Void {
        let conduit = Inner(parent: self, downstream: subscriber)
        lock.lock()
        conduits.append(conduit)
        lock.unlock()
        subscriber.receive(subscription: conduit)
    }

    /// Tells every subscriber.
    public func send() {
        lock.lock()
        let conduits = self.conduits
        lock.unlock()
        conduits.forEach { $0.offer(()) }
    }

    private func remove(_ conduit: Conduit<Void, Never>) {
        lock.lock()
        conduits.remove(conduit)
        lock.unlock()
    }

    private final class Inner<Downstream: Subscriber>: Conduit<Void, Never>, Subscription, CustomStringConvertible,
        CustomReflectable, CustomPlaygroundDisplayConvertible
    where Downstream.Input == Void, Downstream.Failure == Never {
        private let lock = Lock()
        private weak var parent: ObservableObjectPublisher?
        private var downstream: Downstream?
        private var demand = Subscribers.Demand.none

        init(parent: ObservableObjectPublisher, downstream: Downstream) {
            self.parent = parent
            self.downstream = downstream
            super.init { unsafeDowncast($0, to: Inner<Downstream>.self).take($1) }
        }

        func take(_ output: Void) {
            lock.lock()
            guard demand > .none, let downstream else {
                lock.unlock()
                return
            }
            demand -= 1
            lock.unlock()
            let more = downstream.receive(output)
            if more > .none {
                lock { demand += more }
            }
        }

        func request(_ demand: Subscribers.Demand) {
            lock.lock()
            if downstream != nil {
                self.demand += demand
            }
            lock.unlock()
        }

        func cancel() {
            lock.lock()
            let released = downstream
            let parent = self.parent
            downstream = nil
            lock.unlock()
            if released != nil {
                parent?.remove(self)
            }
        }

        var description: String { "ObservableObjectPublisher" }

        var customMirror: Mirror {
            let downstream = lock { self.downstream }
            let child: Mirror.Child = ("downstream", downstream as Any)
            return Mirror(self, children: CollectionOfOne(child))
        }

        var playgroundDescription: Any { description }
    }
}
