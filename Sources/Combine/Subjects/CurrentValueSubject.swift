/// A subject that keeps its latest value and sends it to each new subscriber first.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    @usableFromInline let lock = Lock()
    @usableFromInline var conduits = Conduits<Inner>.none
    @usableFromInline var end: Subscribers.Completion<Failure>?
    @usableFromInline var upstreams: [any Subscription] = []
    @usableFromInline var current: Output

    /// A subject that begins with this value.
    @inlinable
    public init(_ value: Output) {
        current = value
    }

    @inlinable
    deinit {
        for upstream in upstreams {
            upstream.cancel()
        }
    }

    /// The latest value. Setting it is sending it.
    @inlinable
    public var value: Output {
        get {
            lock.lock()
            defer { lock.unlock() }
            return current
        }
        set {
            send(newValue)
        }
    }

    @inlinable
    public func send(subscription: any Subscription) {
        lock.lock()
        upstreams.append(subscription)
        lock.unlock()
        subscription.request(.unlimited)
    }

    @inlinable
    public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {
        lock.lock()
        if let end {
            lock.unlock()
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: end)
            return
        }
        let conduit = Inner(parent: self, inlet: Inlet(subscriber))
        conduits.append(conduit)
        lock.unlock()
        subscriber.receive(subscription: conduit)
    }

    @inlinable
    public func send(_ input: Output) {
        lock.lock()
        guard end == nil else {
            lock.unlock()
            return
        }
        // What is replaced goes outside of the lock: its end may run code.
        let replaced = current
        current = input
        let conduits = self.conduits
        lock.unlock()
        _ = replaced
        conduits.forEach { $0.offer(input) }
    }

    @inlinable
    public func send(completion: Subscribers.Completion<Failure>) {
        lock.lock()
        guard end == nil else {
            lock.unlock()
            return
        }
        end = completion
        let conduits = self.conduits.take()
        lock.unlock()
        conduits.forEach { $0.finish(completion) }
    }

    @inlinable
    func remove(_ conduit: Inner) {
        lock.lock()
        conduits.remove(conduit)
        lock.unlock()
    }

    @usableFromInline
    final class Inner: Conduit<Output, Failure>, Subscription, CustomStringConvertible {
        @usableFromInline
        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            lock.lock()
            guard let parent, let receiveValue = inlet?.receiveValue else {
                lock.unlock()
                return
            }
            self.demand += demand
            guard owesLatestValue else {
                lock.unlock()
                return
            }
            owesLatestValue = false
            self.demand -= 1
            lock.unlock()
            add(receiveValue(unsafeDowncast(parent, to: CurrentValueSubject.self).value))
        }

        @usableFromInline
        func cancel() {
            if let parent = release().parent {
                unsafeDowncast(parent, to: CurrentValueSubject.self).remove(self)
            }
        }

        @usableFromInline
        var description: String { "CurrentValueSubject" }
    }
}
