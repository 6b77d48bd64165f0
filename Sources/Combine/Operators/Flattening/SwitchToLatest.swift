extension Publisher where Output: Publisher, Output.Failure == Failure {
    /// Sends the values of the publisher that came last; what came before it is cancelled.
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
        .init(upstream: self)
    }
}

extension Publisher where Failure == Never, Output: Publisher {
    /// Sends the values of the publisher that came last; what came before it is cancelled.
    public func switchToLatest()
        -> Publishers.SwitchToLatest<
            Output, Publishers.SetFailureType<Self, Output.Failure>
        >
    {
        .init(upstream: setFailureType(to: Output.Failure.self))
    }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
    /// Sends the values of the publisher that came last; what came before it is cancelled.
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
        .init(upstream: self)
    }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
    /// Sends the values of the publisher that came last; what came before it is cancelled.
    public func switchToLatest()
        -> Publishers.SwitchToLatest<
            Publishers.SetFailureType<Output, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
        >
    {
        .init(upstream: map { $0.setFailureType(to: Failure.self) })
    }
}

extension Publishers {
    /// What `switchToLatest` returns.
    public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher
    where P == Upstream.Output, P.Failure == Upstream.Failure {
        public typealias Output = P.Output
        public typealias Failure = P.Failure

        public let upstream: Upstream

        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        public func receive<S>(subscriber: S)
        where S: Subscriber, P.Output == S.Input, Upstream.Failure == S.Failure {
            let outer = Outer(subscriber)
            subscriber.receive(subscription: outer)
            upstream.subscribe(outer)
        }
    }
}

extension Publishers.SwitchToLatest {
    private final class Outer<Downstream: Subscriber>: Subscriber, Subscription, StageDescription
    where Downstream.Input == P.Output, Downstream.Failure == P.Failure {
        typealias Input = P
        typealias Failure = P.Failure

        private let lock = Lock()
        private let downstream: Downstream
        private var publishers = Connection.awaiting
        /// The publisher that came last; ended if there is none. Its number distinguishes it from those before, which may
        /// still be sending.
        private var latest = Connection.ended
        private var number = 0
        private var demand = Subscribers.Demand.none
        private var turn = Turn()
        /// Values that came while another thread had the turn: it sends them on.
        private var waiting = Queue<P.Output>()
        private var waitingCount = 0
        /// How it ends, from when that is known until it is sent; `isOver` is cheaper to read.
        private var end: Subscribers.Completion<Failure>?
        private var isOver = false

        init(_ downstream: Downstream) {
            self.downstream = downstream
        }

        // MARK: The publishers that come

        func receive(subscription: any Subscription) {
            lock.lock()
            guard publishers.isAwaiting, !isOver else {
                lock.unlock()
                subscription.cancel()
                return
            }
            publishers = .connected(subscription)
            lock.unlock()
            subscription.request(.unlimited)
        }

        func receive(_ input: P) -> Subscribers.Demand {
            lock.lock()
            guard publishers.isConnected, !isOver else {
                lock.unlock()
                return .none
            }
            number += 1
            let number = self.number
            let previous = latest
            latest = .awaiting
            lock.unlock()
            previous.subscription?.cancel()
            input.subscribe(Side(outer: self, number: number))
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            lock.lock()
            guard !publishers.isEnded, !isOver else {
                lock.unlock()
                return
            }
            let ended = publishers
            publishers = .ended
            if case .finished = completion, !latest.isEnded {
                lock.unlock()
            } else {
                isOver = true
                end = completion
                settleAndUnlock()
            }
            withExtendedLifetime(ended) {}
        }

        // MARK: The values of the latest

        private func receive(subscription: any Subscription, from number: Int) {
            lock.lock()
            // As with Apple's, a publisher whose subscription is late is asked for values also after the failure.
            guard number == self.number, isOver ? latest.isAwaiting : !latest.isConnected else {
                lock.unlock()
                subscription.cancel()
                return
            }
            latest = .connected(subscription)
            let demand = self.demand
            lock.unlock()
            if demand > .none {
                subscription.request(demand)
            }
        }

        private func receive(_ input: P.Output, from number: Int) -> Subscribers.Demand {
            lock.lock()
            guard number == self.number, !latest.isEnded, !isOver else {
                lock.unlock()
                return .none
            }
            if demand == .none {
                misuse("A publisher must not send more values than it was asked for.")
            }
            demand -= 1
            let entry = turn.enter()
            guard entry != .refused, waitingCount == 0 else {
                waiting.append(input)
                waitingCount += 1
                turn.leave(entry)
                settleAndUnlock()
                return .none
            }
            lock.unlock()
            let more = downstream.receive(input)
            lock.lock()
            turn.leave(entry)
            demand += more
            if more > .none, number != self.number {
                // This publisher is the latest no more; the one that is gets to hear of the demand.
                requestAndRelock(more)
            }
            let returned = number == self.number ? more : .none
            if waitingCount > 0 || isOver {
                settleAndUnlock()
            } else {
                lock.unlock()
            }
            return returned
        }

        private func receive(completion: Subscribers.Completion<Failure>, from number: Int) {
            lock.lock()
            guard number == self.number, !latest.isEnded, !isOver else {
                lock.unlock()
                return
            }
            if latest.isAwaiting {
                misuse("A publisher must give its subscription before its completion.")
            }
            let ended = latest
            latest = .ended
            if case .finished = completion, !publishers.isEnded {
                lock.unlock()
            } else {
                isOver = true
                end = completion
                settleAndUnlock()
            }
            withExtendedLifetime(ended) {}
        }

        private func requestAndRelock(_ demand: Subscribers.Demand) {
            guard let subscription = latest.subscription else { return }
            lock.unlock()
            subscription.request(demand)
            lock.lock()
        }

        /// Sends on what waits, and the end where it has come, unless another thread has the turn, which then does so.
        private func settleAndUnlock() {
            let entry = turn.enter()
            guard entry != .refused else {
                lock.unlock()
                return
            }
            while let value = waiting.popFirst() {
                waitingCount -= 1
                lock.unlock()
                let more = downstream.receive(value)
                lock.lock()
                if more > .none {
                    demand += more
                    requestAndRelock(more)
                }
            }
            turn.leave(entry)
            guard let end else {
                lock.unlock()
                return
            }
            let isAwaitingLatest = latest.isAwaiting
            let released = lockedEnd()
            if isAwaitingLatest { latest = .awaiting }
            lock.unlock()
            released.cancel()
            downstream.receive(completion: end)
        }

        // MARK: From downstream

        func request(_ demand: Subscribers.Demand) {
            demand.requireSome()
            lock.lock()
            self.demand += demand
            requestAndRelock(demand)
            lock.unlock()
        }

        func cancel() {
            lock.lock()
            let released = lockedEnd()
            lock.unlock()
            released.cancel()
        }

        /// What the stage held, for the caller to let go of outside of the lock.
        private struct Released {
            let publishers: Connection
            let latest: Connection
            let waiting: Queue<P.Output>
            let end: Subscribers.Completion<Failure>?

            func cancel() {
                latest.subscription?.cancel()
                publishers.subscription?.cancel()
            }
        }

        private func lockedEnd() -> Released {
            let released = Released(publishers: publishers, latest: latest, waiting: waiting, end: end)
            publishers = .ended
            latest = .ended
            waiting = Queue()
            waitingCount = 0
            end = nil
            isOver = true
            return released
        }

        var description: String { "SwitchToLatest" }

        /// Subscribes to one of the publishers that come.
        private struct Side: Subscriber, StageDescription {
            typealias Input = P.Output
            typealias Failure = P.Failure

            let outer: Outer
            let number: Int
            let combineIdentifier = CombineIdentifier()

            func receive(subscription: any Subscription) { outer.receive(subscription: subscription, from: number) }

            func receive(_ input: Input) -> Subscribers.Demand { outer.receive(input, from: number) }

            func receive(completion: Subscribers.Completion<Failure>) {
                outer.receive(completion: completion, from: number)
            }

            var description: String { "SwitchToLatest" }

            var mirrorChildren: [Mirror.Child] { [("parentSubscription", outer.combineIdentifier)] }
        }
    }
}
