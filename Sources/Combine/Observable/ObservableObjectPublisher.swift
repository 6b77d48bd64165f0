/// Tells that an object is about to change.
public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never

    private let lock = Lock()
    private var conduits = Conduits<Inner>.none

    public init() {}

    public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == Void {
        let conduit = Inner(parent: self, inlet: Inlet(subscriber))
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

    private func remove(_ conduit: Inner) {
        lock.lock()
        conduits.remove(conduit)
        lock.unlock()
    }

    private final class Inner: Conduit<Void, Never>, Subscription, CustomStringConvertible {
        func request(_ demand: Subscribers.Demand) {
            lock.lock()
            if inlet != nil {
                self.demand += demand
            }
            lock.unlock()
        }

        func cancel() {
            if let parent = release().parent {
                unsafeDowncast(parent, to: ObservableObjectPublisher.self).remove(self)
            }
        }

        var description: String { "ObservableObjectPublisher" }

        override var customMirror: Mirror {
            let inlet = lock { self.inlet }
            let child: Mirror.Child = ("downstream", inlet.map { $0.subscriber } as Any)
            return Mirror(self, children: CollectionOfOne(child))
        }
    }
}
