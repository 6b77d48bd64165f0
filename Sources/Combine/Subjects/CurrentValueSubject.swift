/// A subject that keeps its latest value and sends it to each new subscriber first.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    @usableFromInline let lock = Lock()
    @usableFromInline var conduits = Conduits<Output, Failure>.none
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
        let conduit = Inner(parent: self, downstream: subscriber)
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
    func remove(_ conduit: Conduit<Output, Failure>) {
        lock.lock()
        conduits.remove(conduit)
        lock.unlock()
    }

    @usableFromInline
    final class Inner<Downstream: Subscriber>: Conduit<Output, Failure>, Subscription,
        CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
    where Downstream.Input == Output, Downstream.Failure == Failure {
        @usableFromInline let lock = Lock()
        @usableFromInline var parent: CurrentValueSubject?
        @usableFromInline var downstream: Downstream?
        @usableFromInline var demand = Subscribers.Demand.none
        /// Whether the subscriber is owed the current value, which it gets as soon as it asks.
        @usableFromInline var owesCurrentValue = true

        @inlinable
        init(parent: CurrentValueSubject, downstream: Downstream) {
            self.parent = parent
            self.downstream = downstream
            super.init { unsafeDowncast($0, to: Inner<Downstream>.self).take($1) }
        }

        @inlinable
        func take(_ output: Output) {
            lock.lock()
            guard let downstream else {
                lock.unlock()
                return
            }
            guard demand > .none else {
                owesCurrentValue = true
                lock.unlock()
                return
            }
            demand -= 1
            owesCurrentValue = false
            lock.unlock()
            add(downstream.receive(output))
        }

        @inlinable
        override func finish(_ completion: Subscribers.Completion<Failure>) {
            lock.lock()
            let released = (downstream, parent)
            downstream = nil
            parent = nil
            lock.unlock()
            released.0?.receive(completion: completion)
        }

        @inlinable
        func request(_ demand: Subscribers.Demand) {
            demand.requirePositive()
            lock.lock()
            guard let downstream, let parent else {
                lock.unlock()
                return
            }
            self.demand += demand
            guard owesCurrentValue else {
                lock.unlock()
                return
            }
            owesCurrentValue = false
            self.demand -= 1
            lock.unlock()
            add(downstream.receive(parent.value))
        }

        @inline(__always)
        @inlinable
        func add(_ more: Subscribers.Demand) {
            guard more > .none else { return }
            lock.lock()
            demand += more
            lock.unlock()
        }

        @inlinable
        func cancel() {
            lock.lock()
            let released = (downstream, parent)
            downstream = nil
            parent = nil
            lock.unlock()
            released.1?.remove(self)
        }

        @usableFromInline
        var description: String { "CurrentValueSubject" }

        @usableFromInline
        var customMirror: Mirror {
            lock.lock()
            let (parent, downstream, demand) = (self.parent, self.downstream, self.demand)
            lock.unlock()
            let children: [Mirror.Child] = [
                ("parent", parent as Any), ("downstream", downstream as Any), ("demand", demand),
                ("subject", parent as Any),
            ]
            return Mirror(self, children: children)
        }

        @usableFromInline
        var playgroundDescription: Any { description }
    }
}
