/// A subject that keeps its latest value and sends it to each new subscriber first.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private let lock = Lock()
    private var conduits = Conduits<Output, Failure>.none
    private var end: Subscribers.Completion<Failure>?
    private var upstreams: [any Subscription] = []
    private var current: Output

    /// A subject that begins with this value.
    public init(_ value: Output) {
        current = value
    }

    deinit {
        for upstream in upstreams {
            upstream.cancel()
        }
    }

    /// The latest value. Setting it is sending it.
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

    public func send(subscription: any Subscription) {
        lock.lock()
        upstreams.append(subscription)
        lock.unlock()
        subscription.request(.unlimited)
    }

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

    private func remove(_ conduit: Conduit<Output, Failure>) {
        lock.lock()
        conduits.remove(conduit)
        lock.unlock()
    }

    private final class Inner<Downstream: Subscriber>: Conduit<Output, Failure>, Subscription,
        CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
    where Downstream.Input == Output, Downstream.Failure == Failure {
        private let lock = Lock()
        private var parent: CurrentValueSubject?
        private var downstream: Downstream?
        private var demand = Subscribers.Demand.none
        /// Whether the subscriber is owed the current value, which it gets as soon as it asks.
        private var owesCurrentValue = true

        init(parent: CurrentValueSubject, downstream: Downstream) {
            self.parent = parent
            self.downstream = downstream
        }

        override func offer(_ output: Output) {
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

        override func finish(_ completion: Subscribers.Completion<Failure>) {
            lock.lock()
            let released = (downstream, parent)
            downstream = nil
            parent = nil
            lock.unlock()
            released.0?.receive(completion: completion)
        }

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
        private func add(_ more: Subscribers.Demand) {
            guard more > .none else { return }
            lock.lock()
            demand += more
            lock.unlock()
        }

        func cancel() {
            lock.lock()
            let released = (downstream, parent)
            downstream = nil
            parent = nil
            lock.unlock()
            released.1?.remove(self)
        }

        var description: String { "CurrentValueSubject" }

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

        var playgroundDescription: Any { description }
    }
}
