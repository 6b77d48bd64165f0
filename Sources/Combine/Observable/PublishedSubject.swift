/// What a `@Published` property sends its values with. It tells the object of each change first, then the subscribers,
/// and has the new value afterwards.
final class PublishedSubject<Output>: Publisher {
    typealias Failure = Never

    private let lock = Lock()
    private var conduits = Conduits<Output, Never>.none
    private var current: Output
    private var upstreams: [any Subscription] = []
    private var changes: ObservableObjectPublisher?

    init(_ value: Output) {
        current = value
    }

    deinit {
        for upstream in upstreams {
            upstream.cancel()
        }
    }

    var value: Output { lock { current } }

    var objectWillChange: ObservableObjectPublisher? {
        get { lock { changes } }
        set { lock { changes = newValue } }
    }

    func send(_ input: Output) {
        objectWillChange?.send()
        lock.lock()
        let conduits = self.conduits
        lock.unlock()
        conduits.forEach { $0.offer(input) }
        lock.lock()
        let replaced = current
        current = input
        lock.unlock()
        _ = replaced
    }

    func keep(_ subscription: any Subscription) {
        lock { upstreams.append(subscription) }
        subscription.request(.unlimited)
    }

    func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Never {
        let conduit = Inner(parent: self, downstream: subscriber)
        lock { conduits.append(conduit) }
        subscriber.receive(subscription: conduit)
    }

    private func remove(_ conduit: Conduit<Output, Never>) {
        lock { conduits.remove(conduit) }
    }

    private final class Inner<Downstream: Subscriber>: Conduit<Output, Never>, Subscription,
        CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
    where Downstream.Input == Output, Downstream.Failure == Never {
        private let lock = Lock()
        private var parent: PublishedSubject?
        private var downstream: Downstream?
        private var demand = Subscribers.Demand.none
        /// Whether the subscriber is owed the current value, which it gets as soon as it asks.
        private var owesCurrentValue = true

        init(parent: PublishedSubject, downstream: Downstream) {
            self.parent = parent
            self.downstream = downstream
            super.init { unsafeDowncast($0, to: Inner<Downstream>.self).take($1) }
        }

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

        private func add(_ more: Subscribers.Demand) {
            guard more > .none else { return }
            lock { demand += more }
        }

        func cancel() {
            lock.lock()
            let released = (downstream, parent)
            downstream = nil
            parent = nil
            lock.unlock()
            released.1?.remove(self)
        }

        var description: String { "PublishedSubject" }

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
