/// Lets a subject subscribe: what it receives, the subject is sent. It does not keep the subject, as Apple's does not.
final class SubjectSubscriber<Downstream: Subject>: Subscriber, Subscription, StageDescription {
    private let lock = Lock()
    private weak var subject: Downstream?
    private var upstream: (any Subscription)?

    init(_ subject: Downstream) {
        self.subject = subject
    }

    func receive(subscription: any Subscription) {
        lock.lock()
        guard upstream == nil, let subject else {
            lock.unlock()
            subscription.cancel()
            return
        }
        upstream = subscription
        lock.unlock()
        subject.send(subscription: self)
    }

    func receive(_ input: Downstream.Output) -> Subscribers.Demand {
        lock.lock()
        guard upstream != nil, let subject else {
            lock.unlock()
            return .none
        }
        lock.unlock()
        subject.send(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        let released: (subject: Downstream, upstream: any Subscription)? = lock {
            guard let subject, let upstream else { return nil }
            _ = releaseLocked()
            return (subject, upstream)
        }
        released?.subject.send(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        lock { upstream }?.request(demand)
    }

    func cancel() {
        lock { releaseLocked() }.upstream?.cancel()
    }

    /// Empties the subscriber. The caller lets go of what it held outside of the lock.
    private func releaseLocked() -> (subject: Downstream?, upstream: (any Subscription)?) {
        (exchange(&subject, with: nil), upstream.take())
    }

    var description: String { "Subject" }

    var mirrorChildren: [Mirror.Child] {
        let (subject, upstream) = lock { (self.subject, self.upstream) }
        return [
            ("downstreamSubject", subject as Any), ("upstreamSubscription", upstream as Any),
            ("subject", subject as Any),
        ]
    }
}

extension Publisher {
    /// Passes everything this publisher sends on to a subject, until the returned object is cancelled or gone.
    public func subscribe<S: Subject<Output, Failure>>(_ subject: S) -> AnyCancellable {
        let subscriber = SubjectSubscriber(subject)
        receive(subscriber: subscriber)
        return AnyCancellable(subscriber)
    }
}
