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
        lock.lock()
        guard let subject, let upstream else {
            lock.unlock()
            return
        }
        self.subject = nil
        self.upstream = nil
        lock.unlock()
        _ = upstream
        subject.send(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        let upstream = lock { self.upstream }
        upstream?.request(demand)
    }

    func cancel() {
        lock.lock()
        let released = (subject, upstream)
        subject = nil
        upstream = nil
        lock.unlock()
        released.1?.cancel()
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
