/// A subject that keeps nothing: each value goes to the subscribers that have asked for one at that moment.
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
        upstreams.forEach { $0.cancel() }
    }

    @inlinable
    public func send(subscription: any Subscription) {
        let isDemanded = lock {
            upstreams.append(subscription)
            return self.isDemanded
        }
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
        let erasedSubscriber = ErasedSubscriber.erasing(subscriber)
        let subscription = Inner(parent: self, erasedSubscriber: erasedSubscriber)
        _ = subscription.announce(subscription, to: erasedSubscriber) {
            subscriptions.append(subscription)
            lock.unlock()
        }
    }

    @inlinable
    public func send(_ input: Output) {
        let recipients: SubjectSubscriptions.Recipients<Output, Failure> = lock { subscriptions.recipients() }
        recipients.offer(input)
    }

    @inlinable
    public func send(completion: Subscribers.Completion<Failure>) {
        let subscriptions = lock {
            guard end == nil else { return SubjectSubscriptions.Storage.none }
            end = completion
            return self.subscriptions.take()
        }
        subscriptions.forEach { unsafeDowncast($0, to: Inner.self).finish(completion) }
    }

    /// A subscriber wants values: from now on upstreams are asked for all they have.
    @inlinable
    func acknowledgeDemand() {
        let upstreams = lock {
            defer { isDemanded = true }
            return isDemanded ? [] : self.upstreams
        }
        for upstream in upstreams {
            upstream.request(.unlimited)
        }
    }

    @inlinable
    func remove(_ subscription: Inner) { lock { subscriptions.remove(subscription) } }

    @usableFromInline
    final class Inner: SubjectSubscription<Output, Failure>, Subscription, StageDescription {
        @usableFromInline
        func request(_ demand: Subscribers.Demand) {
            demand.requireSome()
            let parent = lock {
                if self.parent != nil { self.demand += demand }
                return self.parent
            }
            if let parent {
                unsafeDowncast(parent, to: PassthroughSubject.self).acknowledgeDemand()
            }
        }

        @usableFromInline
        func cancel() {
            cancel { unsafeDowncast($0, to: PassthroughSubject.self).remove(self) }
        }

        @usableFromInline
        var description: String { "PassthroughSubject" }
    }
}
