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

        public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
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
        @exclusivity(unchecked) private var state = SwitchToLatestStateMachine()
        /// Values that came while another thread had the turn: it sends them on.
        @exclusivity(unchecked) private var waiting = Queue<P.Output>()
        private let downstream: Downstream
        /// How it ends, from when that is known until it is sent.
        private var end: Subscribers.Completion<Failure>?

        init(_ downstream: Downstream) {
            self.downstream = downstream
        }

        // MARK: From downstream

        func request(_ demand: Subscribers.Demand) {
            demand.requireSome()
            lock { state.request(demand) }?.request(demand)
        }

        func cancel() {
            // The values are let go of outside of the lock: they may run code when they go.
            let (subscriptions, _, _) = lock {
                defer {
                    waiting = Queue()
                    end = nil
                }
                return (state.cancel(), waiting, end)
            }
            subscriptions.forEach { $0.cancel() }
        }

        // MARK: The publishers that come

        func receive(subscription: any Subscription) {
            guard lock({ state.receive(subscription: subscription) }) else {
                subscription.cancel()
                return
            }
            subscription.request(.unlimited)
        }

        func receive(_ input: P) -> Subscribers.Demand {
            guard let (number, previous) = lock({ state.receivePublisher() }) else { return .none }
            previous?.cancel()
            input.subscribe(Side(outer: self, number: number))
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            receive(completion, isEnd: { state.receiveCompletion(isFailure: completion.failure != nil) })
        }

        // MARK: The values of the latest

        private func receive(subscription: any Subscription, from number: Int) {
            guard let demand = lock({ state.receive(subscription: subscription, from: number) }) else {
                subscription.cancel()
                return
            }
            if demand > .none {
                subscription.request(demand)
            }
        }

        private func receive(_ input: P.Output, from number: Int) -> Subscribers.Demand {
            lock.lock()
            var call = StageCall(from: number)
            switch state.receiveValue(&call) {
            case .ignore:
                break
            case .keep:
                waiting.append(input)
            case .send:
                let more = lock.unlocked { downstream.receive(input) }
                didSend(more, &call)
            }
            settle(&call)
            lock.unlock()
            return call.returned
        }

        private func receive(completion: Subscribers.Completion<Failure>, from number: Int) {
            receive(completion, isEnd: { state.receiveCompletion(isFailure: completion.failure != nil, from: number) })
        }

        // MARK: What follows from it

        private func receive(_ completion: Subscribers.Completion<Failure>, isEnd: () -> Bool) {
            // A subscription is let go of outside of the lock: it may run code when it goes.
            _ = lock {
                let held = (state.latest, state.publishers)
                if isEnd() {
                    end = completion
                    var call = StageCall()
                    settle(&call)
                }
                return held
            }
        }

        /// With the lock, which is open for what is done.
        private func settle(_ call: inout StageCall) {
            while true {
                switch state.next(&call) {
                case .rest: return
                case .sendWaiting: didSend(sendWaiting(), &call)
                case .end(let subscriptions): return sendEnd(cancelling: consume subscriptions)
                }
            }
        }

        // What depends on types has functions of its own. In the one above it would cost a search for each value.

        @inline(never)
        private func sendWaiting() -> Subscribers.Demand {
            guard let value = waiting.popFirst() else { preconditionFailure("A value has been lost.") }
            return lock.unlocked(with: consume value) { downstream.receive($0) }
        }

        @inline(never)
        private func sendEnd(cancelling subscriptions: consuming [any Subscription]) {
            guard let end = end.take() else { preconditionFailure("There is no end.") }
            lock.unlocked(with: (consume subscriptions, consume end)) {
                $0.forEach { $0.cancel() }
                downstream.receive(completion: $1)
            }
        }

        private func didSend(_ more: Subscribers.Demand, _ call: inout StageCall) {
            if more > .none, let subscription = state.didSend(more, &call) {
                lock.unlocked(with: consume subscription) { $0.request(more) }
            }
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
