extension Publisher {
    /// Subscribes again where the publisher fails, this many times at most.
    public func retry(_ retries: Int) -> Publishers.Retry<Self> {
        .init(upstream: self, retries: retries)
    }
}

extension Publishers {
    /// What `retry` returns.
    public struct Retry<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        /// How often to try again; nil tries forever.
        public let retries: Int?

        public init(upstream: Upstream, retries: Int?) {
            self.upstream = upstream
            self.retries = retries
        }

        public func receive<S>(subscriber: S)
        where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            upstream.subscribe(Inner(subscriber, retry: self))
        }
    }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}

extension Publishers.Retry {
    private final class Inner<Downstream: Subscriber>: Subscriber, Subscription, StageDescription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        typealias Input = Upstream.Output
        typealias Failure = Upstream.Failure

        private let lock = Lock()
        private var outlet: Outlet<Downstream>?
        private var upstream: Upstream?
        private var remaining: Int?
        private var connection = Connection.awaiting
        private var demand = Subscribers.Demand.none
        private var isFirstAttempt = true
        /// A publisher may fail while it is being subscribed to. It is tried again once that call has returned, so that
        /// the stack does not grow with the attempts.
        private var isSubscribing = false
        private var subscribesAgain = false

        init(_ downstream: Downstream, retry: Publishers.Retry<Upstream>) {
            outlet = Outlet(downstream)
            upstream = retry.upstream
            remaining = retry.retries
        }

        func receive(subscription: any Subscription) {
            lock.lock()
            guard connection.isAwaiting, let outlet else {
                lock.unlock()
                subscription.cancel()
                return
            }
            connection = .connected(subscription)
            let isFirstAttempt = self.isFirstAttempt
            self.isFirstAttempt = false
            let demand = self.demand
            lock.unlock()
            if isFirstAttempt {
                outlet.downstream.receive(subscription: self)
            } else if demand > .none {
                subscription.request(demand)
            }
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            lock.lock()
            // A publisher may send a value before its subscription, as it may with Apple's, if it was asked for one.
            guard let outlet else {
                lock.unlock()
                return .none
            }
            if demand == .none {
                misuse("A publisher must not send more values than it was asked for.")
            }
            demand -= 1
            lock.unlock()
            let more = outlet.receive(input)
            if more > .none {
                // Not returned: the attempt that this value belongs to may be over by now.
                request(more)
            }
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            lock.lock()
            let isTooEarly = if case .failure = completion { connection.isAwaiting } else { false }
            guard !connection.isEnded, !isTooEarly else {
                lock.unlock()
                return
            }
            switch completion {
            case .failure where remaining != 0:
                remaining = remaining.map { $0 - 1 }
                let failed = connection
                connection = .awaiting
                if isSubscribing {
                    subscribesAgain = true
                    lock.unlock()
                } else {
                    subscribeAndUnlock()
                }
                withExtendedLifetime(failed) {}
            case .failure, .finished:
                let released = lockedEnd()
                lock.unlock()
                released.outlet?.downstream.receive(completion: completion)
            }
        }

        private func subscribeAndUnlock() {
            isSubscribing = true
            repeat {
                subscribesAgain = false
                guard let upstream else { break }
                lock.unlock()
                upstream.subscribe(self)
                lock.lock()
            } while subscribesAgain
            isSubscribing = false
            lock.unlock()
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            lock.lock()
            self.demand += demand
            guard case .connected(let subscription) = connection else {
                lock.unlock()
                return
            }
            lock.unlock()
            subscription.request(demand)
        }

        func cancel() {
            lock.lock()
            let released = lockedEnd()
            lock.unlock()
            released.connection.subscription?.cancel()
        }

        /// The caller lets go of what is returned outside of the lock.
        private func lockedEnd() -> (connection: Connection, outlet: Outlet<Downstream>?, upstream: Upstream?) {
            let released = (connection, outlet, upstream)
            connection = .ended
            outlet = nil
            upstream = nil
            return released
        }

        var description: String { "Retry" }
    }
}
