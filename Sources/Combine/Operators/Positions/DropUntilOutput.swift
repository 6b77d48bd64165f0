extension Publisher {
    /// Drops values until another publisher sends one.
    public func drop<P>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
    where P: Publisher, Failure == P.Failure {
        .init(upstream: self, other: publisher)
    }
}

extension Publishers {
    /// What `drop(untilOutputFrom:)` returns.
    public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
    where Upstream.Failure == Other.Failure {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let other: Other

        public init(upstream: Upstream, other: Other) {
            self.upstream = upstream
            self.other = other
        }

        public func receive<S>(subscriber: S)
        where S: Subscriber, Upstream.Output == S.Input, Other.Failure == S.Failure {
            let inner = Inner(subscriber)
            subscriber.receive(subscription: inner)
            other.subscribe(Inner.Trigger(inner: inner))
            upstream.subscribe(inner)
        }
    }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publishers.DropUntilOutput {
    /// Only to be cancelled is for good. Apple's, and so this one, passes every completion, that of the other publisher
    /// before its value and that of the upstream, though the first should be the last; and a value that is dropped is not
    /// asked for again.
    private final class Inner<Downstream: Subscriber>: Subscriber, Subscription, StageDescription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        typealias Input = Upstream.Output
        typealias Failure = Upstream.Failure

        private let lock = Lock()
        private let downstream: Downstream
        private var upstream: (any Subscription)?
        private var other: (any Subscription)?
        private var isOpen = false
        private var isCancelled = false
        /// What was requested and not dropped, until values pass.
        private var demand = Subscribers.Demand.none

        init(_ downstream: Downstream) {
            self.downstream = downstream
        }

        // MARK: The values

        func receive(subscription: any Subscription) {
            lock.lock()
            guard upstream == nil, !isCancelled else {
                lock.unlock()
                subscription.cancel()
                return
            }
            upstream = subscription
            let demand = self.demand
            lock.unlock()
            if demand > .none {
                subscription.request(demand)
            }
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            lock.lock()
            let passes = isOpen && !isCancelled
            if !isOpen, !isCancelled {
                if demand == .none {
                    misuse("A publisher must not send more values than it was asked for.")
                }
                demand -= 1
            }
            lock.unlock()
            return passes ? downstream.receive(input) : .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            lock.lock()
            let isCancelled = self.isCancelled
            let (ended, other) = (upstream.take(), self.other.take())
            lock.unlock()
            withExtendedLifetime(ended) {}
            other?.cancel()
            if !isCancelled {
                downstream.receive(completion: completion)
            }
        }

        // MARK: The other publisher

        private func receiveOther(subscription: any Subscription) {
            lock.lock()
            guard other == nil, !isCancelled else {
                lock.unlock()
                subscription.cancel()
                return
            }
            other = subscription
            lock.unlock()
            subscription.request(.max(1))
        }

        private func open() {
            lock.lock()
            isOpen = true
            let ended = other.take()
            lock.unlock()
            withExtendedLifetime(ended) {}
        }

        private func receiveOther(completion: Subscribers.Completion<Failure>) {
            lock.lock()
            let ended = other.take()
            let finishes = !isOpen && !isCancelled
            let upstream = finishes ? self.upstream.take() : nil
            lock.unlock()
            withExtendedLifetime(ended) {}
            upstream?.cancel()
            if finishes {
                downstream.receive(completion: completion)
            }
        }

        // MARK: From downstream

        func request(_ demand: Subscribers.Demand) {
            lock.lock()
            self.demand += demand
            let upstream = self.upstream
            lock.unlock()
            upstream?.request(demand)
        }

        func cancel() {
            lock.lock()
            isCancelled = true
            let (upstream, other) = (self.upstream.take(), self.other.take())
            lock.unlock()
            upstream?.cancel()
            other?.cancel()
        }

        var description: String { "DropUntilOutput" }

        /// Subscribes to the other publisher.
        struct Trigger: Subscriber, StageDescription {
            typealias Input = Other.Output
            typealias Failure = Other.Failure

            let inner: Inner

            var combineIdentifier: CombineIdentifier { inner.combineIdentifier }

            func receive(subscription: any Subscription) { inner.receiveOther(subscription: subscription) }

            func receive(_ input: Other.Output) -> Subscribers.Demand {
                inner.open()
                return .none
            }

            func receive(completion: Subscribers.Completion<Failure>) { inner.receiveOther(completion: completion) }

            var description: String { inner.description }

            var customMirror: Mirror { inner.customMirror }
        }
    }
}
