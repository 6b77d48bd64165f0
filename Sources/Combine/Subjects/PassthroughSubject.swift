/// A subject that keeps nothing: each value goes to those who have asked for one at that moment.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    @usableFromInline let lock = Lock()
    @usableFromInline var conduits = Conduits<Output, Failure>.none
    @usableFromInline var end: Subscribers.Completion<Failure>?
    @usableFromInline var upstreams: [any Subscription] = []
    @usableFromInline var isDemanded = false

    @inlinable
    public init() {}

    @inlinable
    deinit {
        for upstream in upstreams {
            upstream.cancel()
        }
    }

    @inlinable
    public func send(subscription: any Subscription) {
        lock.lock()
        upstreams.append(subscription)
        let isDemanded = self.isDemanded
        lock.unlock()
        if isDemanded {
            subscription.request(.unlimited)
        }
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
        let conduits = self.conduits
        lock.unlock()
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

    /// Somebody downstream wants values: from now on upstreams are asked for all they have.
    @inlinable
    func acknowledgeDemand() {
        lock.lock()
        guard !isDemanded else {
            lock.unlock()
            return
        }
        isDemanded = true
        let upstreams = self.upstreams
        lock.unlock()
        for upstream in upstreams {
            upstream.request(.unlimited)
        }
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
        @usableFromInline var parent: PassthroughSubject?
        @usableFromInline var downstream: Downstream?
        @usableFromInline var demand = Subscribers.Demand.none

        @inlinable
        init(parent: PassthroughSubject, downstream: Downstream) {
            self.parent = parent
            self.downstream = downstream
            super.init { unsafeDowncast($0, to: Inner<Downstream>.self).take($1) }
        }

        @inlinable
        func take(_ output: Output) {
            lock.lock()
            guard demand > .none, let downstream else {
                lock.unlock()
                return
            }
            demand -= 1
            lock.unlock()
            let more = downstream.receive(output)
            if more > .none {
                lock.lock()
                demand += more
                lock.unlock()
            }
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
            guard downstream != nil, let parent else {
                lock.unlock()
                return
            }
            self.demand += demand
            lock.unlock()
            parent.acknowledgeDemand()
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
        var description: String { "PassthroughSubject" }

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
