extension Publisher {
    /// Turns each value into a publisher and sends what all of these send, from at most so many at a time.
    @inlinable
    public func flatMap<T, P>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where T == P.Output, P: Publisher, Failure == P.Failure {
        .init(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
}

extension Publisher where Failure == Never {
    /// Turns each value into a publisher that may fail, where this one cannot.
    @inlinable
    public func flatMap<P>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> where P: Publisher {
        setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
    }

    /// Turns each value into a publisher, where neither can fail.
    @inlinable
    public func flatMap<P>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where P: Publisher, P.Failure == Never {
        .init(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
}

extension Publisher {
    /// Turns each value into a publisher that cannot fail, where this one may.
    @inlinable
    public func flatMap<P>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P: Publisher, P.Failure == Never {
        flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
    }
}

extension Publishers {
    /// What `flatMap` returns.
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
    where NewPublisher.Failure == Upstream.Failure {
        public typealias Output = NewPublisher.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let maxPublishers: Subscribers.Demand
        public let transform: (Upstream.Output) -> NewPublisher

        @inlinable
        public init(
            upstream: Upstream, maxPublishers: Subscribers.Demand,
            transform: @escaping (Upstream.Output) -> NewPublisher
        ) {
            self.upstream = upstream
            self.maxPublishers = maxPublishers
            self.transform = transform
        }

        @inlinable
        public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
            let outer = Outer(AnySubscriber(subscriber), maxPublishers, transform)
            subscriber.receive(subscription: outer)
            upstream.subscribe(outer)
        }

        @usableFromInline
        final class Outer: Subscriber, Subscription, StageDescription {
            @usableFromInline
            typealias Input = Upstream.Output
            @usableFromInline
            typealias Failure = Upstream.Failure

            @usableFromInline let lock = Lock()
            @usableFromInline @exclusivity(unchecked) var state: FlatMapStateMachine
            /// A request comes through a protocol, and so to the code that knows no types; this leads back.
            @usableFromInline let addDemand: (Outer, Subscribers.Demand) -> Void
            @usableFromInline let knowsPublishers: Bool
            @usableFromInline @exclusivity(unchecked) var transform: ((Input) -> NewPublisher)?
            @usableFromInline @exclusivity(unchecked) var downstream: AnySubscriber<Output, Failure>?
            /// Every child, from before it is subscribed to until its end. A publisher whose values are known has none.
            @usableFromInline @exclusivity(unchecked) var children: ContiguousArray<Child> = []
            @usableFromInline @exclusivity(unchecked) var waiting = Queue<(child: Child?, value: Output)>()
            @usableFromInline @exclusivity(unchecked) var failure: Failure?

            @inlinable
            init(
                _ downstream: AnySubscriber<Output, Failure>, _ maxPublishers: Subscribers.Demand,
                _ transform: @escaping (Input) -> NewPublisher
            ) {
                self.downstream = downstream
                self.transform = transform
                state = FlatMapStateMachine(maxPublishers: maxPublishers)
                addDemand = { $0.add($1) }
                knowsPublishers = Foreknown<NewPublisher>.isPossible
            }

            // MARK: From upstream

            @inlinable
            func receive(subscription: any Subscription) {
                guard lock({ state.receive(subscription: subscription) }) else {
                    subscription.cancel()
                    return
                }
                subscription.request(state.maxPublishers)
            }

            @inlinable
            func receive(_ input: Input) -> Subscribers.Demand {
                lock.lock()
                guard state.receivePublisher(), let transform else {
                    lock.unlock()
                    return .none
                }
                if knowsPublishers {
                    lock.unlock()
                    receive(Foreknown(transform(input)))
                    return .none
                }
                let child = Child(parent: self)
                child.place = children.count
                children.append(child)
                lock.unlock()
                transform(input).subscribe(child)
                return .none
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Failure>) {
                // The subscription is let go of outside of the lock: it may run code when it goes.
                _ = lock {
                    let upstream = state.upstream
                    if state.receiveCompletion(isFailure: completion.failure != nil) {
                        var call = StageCall()
                        failure = completion.failure
                        settle(&call)
                    }
                    return upstream
                }
            }

            // MARK: From the publishers

            @inlinable
            func receive(_ value: Output, from child: Child) -> Subscribers.Demand {
                lock.lock()
                var call = StageCall()
                let action = send(value, from: child, &call)
                settle(&call)
                lock.unlock()
                if action == .all {
                    requestAll()
                }
                return action == .none ? .none : .max(1)
            }

            /// Does in one go what happens where a child subscribes to such a publisher.
            @inlinable
            func receive(_ known: Foreknown<NewPublisher>) {
                lock.lock()
                var call = StageCall()
                var action = FlatMapStateMachine.RequestAction.none
                if case .value(let value) = known {
                    action = send(value, from: nil, &call)
                    if action == .none, state.finishPublisherAlone(&call) {
                        lock.unlock()
                        return
                    }
                }
                if case .failure(let error) = known {
                    end(.failure(error), &call)
                } else {
                    end(.finished, &call)
                }
                lock.unlock()
                if action == .all {
                    requestAll()
                }
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Failure>, from child: Child) {
                lock {
                    guard remove(child) else { return }
                    var call = StageCall()
                    end(completion, &call)
                }
            }

            /// The last child takes the place.
            @inlinable
            func remove(_ child: Child) -> Bool {
                guard child.place < children.count, children[child.place] === child else { return false }
                let last = children.removeLast()
                if last !== child {
                    children[child.place] = last
                    last.place = child.place
                }
                return true
            }

            // MARK: What follows from it. Each with the lock, which is open for what is done.

            @inline(__always)
            @inlinable
            func send(_ value: Output, from child: Child?, _ call: inout StageCall) -> FlatMapStateMachine.RequestAction
            {
                switch state.receiveValue(&call) {
                case .ignore:
                    return .none
                case .keep:
                    waiting.append((child, value))
                    return .none
                case .send:
                    guard let downstream else { return .none }
                    return state.request(lock.unlocked(with: consume downstream) { $0.receive(value) })
                }
            }

            @inline(__always)
            @inlinable
            func end(_ completion: Subscribers.Completion<Failure>, _ call: inout StageCall) {
                if case .failure(let error) = completion, state.isReceiving {
                    failure = error
                }
                if state.receivePublisherCompletion(isFailure: completion.failure != nil) {
                    lock.unlocked(with: state.upstream) { $0?.request(.max(1)) }
                }
                settle(&call)
            }

            @inline(__always)
            @inlinable
            func settle(_ call: inout StageCall) {
                while true {
                    switch state.next(&call) {
                    case .rest: return
                    case .sendWaiting: sendWaiting()
                    case .end: lock.unlocked { finish() }
                    }
                }
            }

            @inline(never)
            @inlinable
            func sendWaiting() {
                guard let downstream, let (child, value) = waiting.popFirst() else { return }
                let more = lock.unlocked(with: (consume downstream, consume value)) { $0.receive($1) }
                let action = state.request(more)
                lock.unlocked(with: consume child) {
                    switch action {
                    case .none: break
                    case .one: $0?.request(.max(1))
                    case .all: requestAll()
                    }
                }
            }

            // MARK: From downstream

            @inlinable
            func request(_ demand: Subscribers.Demand) {
                demand.requireSome()
                addDemand(self, demand)
            }

            /// Adds to the demand and passes on what was kept.
            @inlinable
            func add(_ more: Subscribers.Demand) {
                lock.lock()
                var call = StageCall()
                let action = state.request(more)
                settle(&call)
                lock.unlock()
                if action == .all {
                    requestAll()
                }
            }

            @inline(never)
            @inlinable
            func requestAll() {
                lock { children }.forEach { $0.request(.unlimited) }
            }

            @inlinable
            func cancel() {
                _ = end()
            }

            @inline(never)
            @inlinable
            func finish() {
                guard let (downstream, failure) = end() else { return }
                downstream.receive(completion: failure.map { .failure($0) } ?? .finished)
            }

            /// Lets go of everything, and returns the downstream and the failure to the caller that ended it.
            @inlinable
            func end() -> (AnySubscriber<Output, Failure>, Failure?)? {
                lock.lock()
                let upstream = state.upstream
                guard state.end(), let downstream else {
                    lock.unlock()
                    return nil
                }
                let released = (transform, waiting, children, failure)
                self.downstream = nil
                transform = nil
                waiting = Queue()
                children = []
                failure = nil
                lock.unlock()
                released.2.forEach { $0.cancel() }
                upstream?.cancel()
                return (downstream, released.3)
            }

            @usableFromInline
            var description: String { "FlatMap" }

            @usableFromInline
            final class Child: SingleUpstreamStage, Subscriber, StageDescription {
                @usableFromInline
                typealias Input = NewPublisher.Output
                @usableFromInline
                typealias Failure = NewPublisher.Failure

                @usableFromInline let parent: Outer
                /// Where it is among the children; the parent's lock guards it.
                @usableFromInline @exclusivity(unchecked) var place = 0

                @inlinable
                init(parent: Outer) {
                    self.parent = parent
                }

                @inlinable
                func receive(subscription: any Subscription) {
                    guard connect(subscription) else { return }
                    subscription.request(parent.lock { parent.state.initialDemand })
                }

                @inlinable
                func receive(_ input: Input) -> Subscribers.Demand {
                    guard isConnected else { return .none }
                    return parent.receive(input, from: self)
                }

                @inlinable
                func receive(completion: Subscribers.Completion<Failure>) {
                    guard end() else { return }
                    parent.receive(completion: completion, from: self)
                }

                @inlinable
                func request(_ demand: Subscribers.Demand) {
                    subscription?.request(demand)
                }

                @inlinable
                func cancel() {
                    endEvenAwaiting(cancelling: true)
                }

                @usableFromInline
                var description: String { "FlatMap" }

                @usableFromInline
                var mirrorChildren: [Mirror.Child] { [("parentSubscription", parent.combineIdentifier)] }
            }
        }
    }
}
