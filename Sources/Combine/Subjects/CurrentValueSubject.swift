/// A subject that keeps its latest value and sends it to each new subscriber first.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    @usableFromInline let lock = Lock()
    @usableFromInline @exclusivity(unchecked) var subscriptions = SubjectSubscriptions()
    @usableFromInline @exclusivity(unchecked) var end: Subscribers.Completion<Failure>?
    @usableFromInline @exclusivity(unchecked) var upstreams: [any Subscription] = []
    @usableFromInline @exclusivity(unchecked) var current: Output
    /// How many values there were before.
    @usableFromInline @exclusivity(unchecked) var number: UInt64 = 0

    /// A subject that begins with this value.
    @inlinable
    public init(_ value: Output) {
        current = value
    }

    @inlinable
    deinit {
        upstreams.forEach { $0.cancel() }
    }

    /// The latest value. Setting it is sending it; after the end it is still kept, but not sent.
    @inlinable
    public var value: Output {
        get { lock { current } }
        set {
            send(newValue, evenAfterEnd: true)
        }
    }

    @inlinable
    public func send(subscription: any Subscription) {
        lock { upstreams.append(subscription) }
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
        let erasedSubscriber = ErasedSubscriber.erasing(subscriber)
        let subscription = Inner(parent: self, erasedSubscriber: erasedSubscriber)
        let mustRequest = subscription.announce(subscription, to: erasedSubscriber) {
            subscriptions.append(subscription)
            lock.unlock()
        }
        if mustRequest { subscription.sendLatest(.none) }
    }

    @inlinable
    public func send(_ input: Output) {
        send(input, evenAfterEnd: false)
    }

    @inline(__always)
    @inlinable
    func send(_ input: Output, evenAfterEnd: Bool) {
        lock.lock()
        guard evenAfterEnd || end == nil else {
            lock.unlock()
            return
        }
        // What is replaced goes outside of the lock: its end may run code.
        let replaced = current
        current = input
        number += 1
        let number = self.number
        let recipients: SubjectSubscriptions.Recipients<Output, Failure> = subscriptions.recipients()
        lock.unlock()
        _ = replaced
        recipients.offer(input, number: number)
    }

    @inlinable
    func latest(_ number: inout UInt64) -> Output {
        lock {
            number = self.number
            return current
        }
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

    @inlinable
    func remove(_ subscription: Inner) { lock { subscriptions.remove(subscription) } }

    @usableFromInline
    final class Inner: SubjectSubscription<Output, Failure>, Subscription, StageDescription {
        @usableFromInline
        func request(_ demand: Subscribers.Demand) {
            demand.requireSome()
            sendLatest(demand)
        }

        @usableFromInline
        func sendLatest(_ demand: Subscribers.Demand) {
            var more = demand
            while request(more, latest: { unsafeDowncast($0, to: CurrentValueSubject.self).latest(&$1) }) {
                more = .none
            }
        }

        @usableFromInline
        func cancel() {
            cancel { unsafeDowncast($0, to: CurrentValueSubject.self).remove(self) }
        }

        @usableFromInline
        var description: String { "CurrentValueSubject" }
    }
}
