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
            upstream.subscribe(Outer(subscriber))
        }
    }
}

extension Publishers.SwitchToLatest {
    private final class Outer<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible,
        CustomReflectable, CustomPlaygroundDisplayConvertible
    where Downstream.Input == P.Output, Downstream.Failure == P.Failure {
        typealias Input = P
        typealias Failure = P.Failure

        private enum Upstreams {
            case awaiting
            case connected(any Subscription)
            case finished
        }

        /// The publisher that came last. Its number tells it from those before, which may still be sending.
        private enum Latest {
            case none
            case awaiting(number: Int)
            case connected(number: Int, any Subscription)

            var subscription: (any Subscription)? {
                if case .connected(_, let subscription) = self { subscription } else { nil }
            }

            func isConnected(_ number: Int) -> Bool {
                if case .connected(number, _) = self { true } else { false }
            }
        }

        private let lock = Lock()
        private var downstream: Downstream?
        private var upstreams = Upstreams.awaiting
        private var latest = Latest.none
        private var count = 0
        private var demand = Subscribers.Demand.none
        private var turn = Turn()
        /// Values that came while another thread had the turn: it sends them on.
        private var waiting = Queue<P.Output>()
        private var end: Subscribers.Completion<Failure>?

        init(_ downstream: Downstream) {
            self.downstream = downstream
        }

        // MARK: The publishers that come

        func receive(subscription: any Subscription) {
            lock.lock()
            guard case .awaiting = upstreams, let downstream else {
                lock.unlock()
                subscription.cancel()
                return
            }
            upstreams = .connected(subscription)
            lock.unlock()
            downstream.receive(subscription: self)
            subscription.request(.unlimited)
        }

        func receive(_ input: P) -> Subscribers.Demand {
            lock.lock()
            guard case .connected = upstreams, end == nil, downstream != nil else {
                lock.unlock()
                return .none
            }
            count += 1
            let number = count
            let previous = latest
            latest = .awaiting(number: number)
            lock.unlock()
            previous.subscription?.cancel()
            input.subscribe(Side(outer: self, number: number))
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            lock.lock()
            guard end == nil, downstream != nil else {
                lock.unlock()
                return
            }
            let ended = upstreams
            upstreams = .finished
            switch completion {
            case .finished:
                if case .none = latest {
                    end = .finished
                }
            case .failure:
                end = completion
            }
            _ = settleAndUnlock(origin: 0, value: nil)
            withExtendedLifetime(ended) {}
        }

        // MARK: The values of the latest

        fileprivate func receive(subscription: any Subscription, from number: Int) {
            lock.lock()
            guard case .awaiting(number) = latest, end == nil, downstream != nil else {
                lock.unlock()
                subscription.cancel()
                return
            }
            latest = .connected(number: number, subscription)
            let demand = self.demand
            lock.unlock()
            if demand > .none {
                subscription.request(demand)
            }
        }

        fileprivate func receive(_ input: P.Output, from number: Int) -> Subscribers.Demand {
            lock.lock()
            guard latest.isConnected(number), end == nil, downstream != nil else {
                lock.unlock()
                return .none
            }
            precondition(demand > .none, "switchToLatest got a value that nobody had requested.")
            demand -= 1
            return settleAndUnlock(origin: number, value: input)
        }

        fileprivate func receive(completion: Subscribers.Completion<Failure>, from number: Int) {
            lock.lock()
            let ended = latest
            switch ended {
            case .awaiting(number) where end == nil, .connected(number, _) where end == nil:
                latest = .none
            default:
                lock.unlock()
                return
            }
            switch completion {
            case .finished:
                if case .finished = upstreams {
                    end = .finished
                }
            case .failure:
                end = completion
            }
            _ = settleAndUnlock(origin: 0, value: nil)
            withExtendedLifetime(ended) {}
        }

        /// Sends on the value, what waits, and the end where it has come. Returns what the publisher `origin`, whose
        /// call this is, may send more.
        private func settleAndUnlock(origin: Int, value: P.Output?) -> Subscribers.Demand {
            let entry = turn.enter()
            if entry == .refused {
                if let value {
                    waiting.append(value)
                }
                lock.unlock()
                return .none
            }
            var returned = Subscribers.Demand.none
            var next = value
            if !waiting.isEmpty {
                if let value {
                    waiting.append(value)
                }
                next = waiting.popFirst()
            }
            while let value = next, let downstream {
                lock.unlock()
                let more = downstream.receive(value)
                lock.lock()
                if more > .none {
                    demand += more
                    if latest.isConnected(origin) {
                        returned += more
                    } else if let subscription = latest.subscription {
                        lock.unlock()
                        subscription.request(more)
                        lock.lock()
                    }
                }
                next = waiting.popFirst()
            }
            turn.leave(entry)
            guard let end, downstream != nil else {
                lock.unlock()
                return returned
            }
            let released = lockedEnd()
            lock.unlock()
            released.cancel()
            released.downstream?.receive(completion: end)
            return .none
        }

        // MARK: From downstream

        func request(_ demand: Subscribers.Demand) {
            demand.requirePositive()
            lock.lock()
            guard downstream != nil else {
                lock.unlock()
                return
            }
            self.demand += demand
            let subscription = latest.subscription
            lock.unlock()
            subscription?.request(demand)
        }

        func cancel() {
            lock.lock()
            let released = lockedEnd()
            lock.unlock()
            released.cancel()
        }

        /// What the stage held, for the caller to let go of outside of the lock.
        private struct Released {
            let downstream: Downstream?
            let upstreams: Upstreams
            let latest: Latest
            let waiting: Queue<P.Output>
            let end: Subscribers.Completion<Failure>?

            func cancel() {
                latest.subscription?.cancel()
                if case .connected(let subscription) = upstreams {
                    subscription.cancel()
                }
            }
        }

        private func lockedEnd() -> Released {
            let released = Released(
                downstream: downstream, upstreams: upstreams, latest: latest, waiting: waiting, end: end)
            downstream = nil
            upstreams = .finished
            latest = .none
            waiting = Queue()
            end = nil
            return released
        }

        var description: String { "SwitchToLatest" }

        var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

        var playgroundDescription: Any { description }

        /// Subscribes to one of the publishers that come.
        private struct Side: Subscriber, CustomStringConvertible, CustomReflectable,
            CustomPlaygroundDisplayConvertible
        {
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

            var customMirror: Mirror {
                Mirror(self, children: CollectionOfOne<Mirror.Child>(("parentSubscription", outer.combineIdentifier)))
            }

            var playgroundDescription: Any { description }
        }
    }
}
