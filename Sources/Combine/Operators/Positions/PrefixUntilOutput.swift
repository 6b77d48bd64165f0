extension Publisher {
    /// Passes values until another publisher sends one.
    public func prefix<P>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> where P: Publisher {
        .init(upstream: self, other: publisher)
    }
}

extension Publishers {
    /// What `prefix(untilOutputFrom:)` returns.
    public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let other: Other

        public init(upstream: Upstream, other: Other) {
            self.upstream = upstream
            self.other = other
        }

        public func receive<S>(subscriber: S)
        where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let inner = Inner(subscriber)
            other.subscribe(Inner.Trigger(inner: inner))
            upstream.subscribe(inner)
        }
    }
}

extension Publishers.PrefixUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publishers.PrefixUntilOutput {
    /// As Apple's, it does not describe itself, and cancels the other publisher at the upstream's end but not where that
    /// has sent its value, the only one that it was asked for.
    private final class Inner<Downstream: Subscriber>: Subscriber, Subscription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        typealias Input = Upstream.Output
        typealias Failure = Upstream.Failure

        private let lock = Lock()
        private let downstream: Downstream
        private var upstream = Connection.awaiting
        private var other = Connection.awaiting
        private var turn = Turn()
        /// The other publisher has sent its value while downstream was busy on another thread: that one sends the end.
        private var mustFinish = false

        init(_ downstream: Downstream) {
            self.downstream = downstream
        }

        // MARK: The values

        func receive(subscription: any Subscription) {
            lock.lock()
            guard upstream.isAwaiting else {
                lock.unlock()
                subscription.cancel()
                return
            }
            upstream = .connected(subscription)
            lock.unlock()
            downstream.receive(subscription: self)
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            lock.lock()
            guard upstream.isConnected else {
                lock.unlock()
                return .none
            }
            let entry = turn.enter()
            lock.unlock()
            let more = downstream.receive(input)
            lock.lock()
            turn.leave(entry)
            let mustFinish = self.mustFinish
            self.mustFinish = false
            lock.unlock()
            if mustFinish {
                downstream.receive(completion: .finished)
                return .none
            }
            return more
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            lock.lock()
            let released = lockedEnd()
            lock.unlock()
            released.other.subscription?.cancel()
            if released.upstream.isConnected {
                downstream.receive(completion: completion)
            }
        }

        // MARK: The other publisher

        private func receiveOther(subscription: any Subscription) {
            lock.lock()
            guard other.isAwaiting else {
                lock.unlock()
                subscription.cancel()
                return
            }
            other = .connected(subscription)
            lock.unlock()
            subscription.request(.max(1))
        }

        private func trigger() {
            lock.lock()
            guard other.isConnected else {
                lock.unlock()
                return
            }
            let released = lockedEnd()
            mustFinish = !released.upstream.isEnded && turn.isTakenByOther
            let finishes = !released.upstream.isEnded && !mustFinish
            lock.unlock()
            released.upstream.subscription?.cancel()
            if finishes {
                downstream.receive(completion: .finished)
            }
        }

        private func endOther() {
            lock.lock()
            let ended = other
            other = .ended
            lock.unlock()
            withExtendedLifetime(ended) {}
        }

        // MARK: From downstream

        func request(_ demand: Subscribers.Demand) {
            lock { upstream.subscription }?.request(demand)
        }

        func cancel() {
            lock.lock()
            let released = lockedEnd()
            lock.unlock()
            released.upstream.subscription?.cancel()
            released.other.subscription?.cancel()
        }

        /// The caller lets go of what is returned outside of the lock.
        private func lockedEnd() -> (upstream: Connection, other: Connection) {
            let released = (upstream, other)
            upstream = .ended
            other = .ended
            return released
        }

        /// Subscribes to the other publisher.
        struct Trigger: Subscriber {
            typealias Input = Other.Output
            typealias Failure = Other.Failure

            let inner: Inner

            var combineIdentifier: CombineIdentifier { inner.combineIdentifier }

            func receive(subscription: any Subscription) { inner.receiveOther(subscription: subscription) }

            func receive(_ input: Other.Output) -> Subscribers.Demand {
                inner.trigger()
                return .none
            }

            func receive(completion: Subscribers.Completion<Other.Failure>) { inner.endOther() }
        }
    }
}
