extension Publisher {
    /// Sends the values of one subscription to all subscribers, through a subject that is made when the first comes.
    public func multicast<S>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
    where S: Subject, Failure == S.Failure, Output == S.Output {
        .init(upstream: self, createSubject: createSubject)
    }

    /// Sends the values of one subscription to all subscribers, through this subject.
    public func multicast<S: Subject<Output, Failure>>(subject: S) -> Publishers.Multicast<Self, S> {
        multicast { subject }
    }
}

extension Publishers {
    /// What `multicast` returns.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
    where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public final let upstream: Upstream
        public final let createSubject: () -> SubjectType

        private let lock = Lock()
        private var existingSubject: SubjectType?

        public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
            self.upstream = upstream
            self.createSubject = createSubject
        }

        public final func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
            subject.subscribe(Inner(subscriber, multicast: self))
        }

        public final func connect() -> any Cancellable {
            upstream.subscribe(subject)
        }

        private var subject: SubjectType {
            if let subject = lock({ existingSubject }) {
                return subject
            }
            // The closure is another party's: it is called outside of the lock, and the first subject made stays.
            let created = createSubject()
            return lock {
                if let existingSubject {
                    return existingSubject
                }
                existingSubject = created
                return created
            }
        }
    }
}

extension Publishers.Multicast {
    private final class Inner<Downstream: Subscriber>: Subscriber, Subscription, StageDescription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        private let lock = Lock()
        private var outlet: Outlet<Downstream>?
        /// Keeps the subject, which only the multicast owns, for as long as it has a subscriber.
        private var multicast: Publishers.Multicast<Upstream, SubjectType>?
        private var connection = Connection.awaiting

        init(_ downstream: Downstream, multicast: Publishers.Multicast<Upstream, SubjectType>) {
            outlet = Outlet(downstream)
            self.multicast = multicast
        }

        func receive(subscription: any Subscription) {
            let outlet = lock { connection.receive(subscription) == .announce ? self.outlet : nil }
            guard let outlet else { return subscription.cancel() }
            outlet.downstream.receive(subscription: self)
        }

        func receive(_ input: Upstream.Output) -> Subscribers.Demand {
            lock.lock()
            guard connection.isConnected, let outlet else {
                lock.unlock()
                return .none
            }
            lock.unlock()
            let more = outlet.receive(input)
            if more > .none {
                request(more)
            }
            return .none
        }

        func receive(completion: Subscribers.Completion<Upstream.Failure>) {
            let released = lock { connection.isConnected ? lockedEnd() : nil }
            released?.outlet?.downstream.receive(completion: completion)
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            lock { connection.subscription }?.request(demand)
        }

        func cancel() {
            lock { lockedEnd() }.connection.subscription?.cancel()
        }

        /// The caller lets go of what is returned outside of the lock.
        private func lockedEnd() -> (
            connection: Connection, outlet: Outlet<Downstream>?, multicast: Publishers.Multicast<Upstream, SubjectType>?
        ) {
            let released = (connection, outlet, multicast)
            connection = .ended
            outlet = nil
            multicast = nil
            return released
        }

        var description: String { "Multicast" }
    }
}
