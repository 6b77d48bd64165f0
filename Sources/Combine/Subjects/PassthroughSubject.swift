/// A subject that keeps nothing: each value goes to those who have asked for one at that moment.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    @usableFromInline let lock = Lock()
    @usableFromInline @exclusivity(unchecked) var subscriptions = SubjectSubscriptions()
    @usableFromInline @exclusivity(unchecked) var end: Subscribers.Completion<Failure>?
    @usableFromInline @exclusivity(unchecked) var upstreams: [any Subscription] = []
    @usableFromInline @exclusivity(unchecked) var isDemanded = false

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
        let subscription = Inner(parent: self, erasedSubscriber: .erasing(subscriber))
        subscriptions.append(subscription)
        lock.unlock()
        subscriber.receive(subscription: subscription)
    }

    @inlinable
    public func send(_ input: Output) {
        let recipients: SubjectSubscriptions.Recipients<Output, Failure> = lock { subscriptions.recipients() }
        recipients.offer(input)
    }

    @inlinable
    public func send(completion: Subscribers.Completion<Failure>) {
        lock.lock()
        guard end == nil else {
            lock.unlock()
            return
        }
        end = completion
        let subscriptions = self.subscriptions.take()
        lock.unlock()
        subscriptions.forEach { unsafeDowncast($0, to: Inner.self).finish(completion) }
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
    func remove(_ subscription: Inner) {
        lock { subscriptions.remove(subscription) }
    }

    @usableFromInline
    final class Inner: SubjectSubscription<Output, Failure>, Subscription, CustomStringConvertible {
        @usableFromInline
        func request(_ demand: Subscribers.Demand) {
            demand.requireSome()
            lock.lock()
            guard let parent else {
                lock.unlock()
                return
            }
            self.demand += demand
            lock.unlock()
            unsafeDowncast(parent, to: PassthroughSubject.self).acknowledgeDemand()
        }

        @usableFromInline
        func cancel() {
            cancel { unsafeDowncast($0, to: PassthroughSubject.self).remove(self) }
        }

        @usableFromInline
        var description: String { "PassthroughSubject" }
    }
}
