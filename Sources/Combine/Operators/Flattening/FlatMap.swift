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
        public func receive<S>(subscriber: S)
        where S: Subscriber, NewPublisher.Output == S.Input, Upstream.Failure == S.Failure {
            let outer = Outer(downstream: AnySubscriber(subscriber), maxPublishers: maxPublishers, transform: transform)
            subscriber.receive(subscription: outer)
            upstream.subscribe(outer)
        }

        // A child is asked for one value at a time, unless downstream's demand is unlimited; a value without
        // demand is kept until there is demand. So at most one value for each child is kept.
        @usableFromInline
        final class Outer<Downstream: Subscriber>: Subscriber, Subscription, StageDescription
        where Downstream.Input == NewPublisher.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline
            enum Phase {
                case awaiting
                case subscribed
                case finished
                /// A failure has come, but not gone down yet.
                case failed
                case over
            }

            @usableFromInline let lock = Lock()
            /// A request comes through a protocol, and so to the code that knows no types; this leads back.
            @usableFromInline let addDemand: (Outer, Subscribers.Demand) -> Void
            @usableFromInline let maxPublishers: Subscribers.Demand
            @usableFromInline @exclusivity(unchecked) var transform: ((Upstream.Output) -> NewPublisher)?
            @usableFromInline @exclusivity(unchecked) var downstream: Downstream?
            @usableFromInline @exclusivity(unchecked) var upstream: (any Subscription)?
            @usableFromInline @exclusivity(unchecked) var phase = Phase.awaiting
            @usableFromInline @exclusivity(unchecked) var demand = Subscribers.Demand.none
            /// Every child, from before it is subscribed to until its end.
            @usableFromInline @exclusivity(unchecked) var children: Children = .none
            @usableFromInline @exclusivity(unchecked) var kept = Queue<(child: Child?, value: Downstream.Input)>()
            @usableFromInline @exclusivity(unchecked) var turn = Turn()
            /// How many publishers have no child, because what they send is known, and have not ended.
            @usableFromInline @exclusivity(unchecked) var knownPublishers = 0
            @usableFromInline let knowsPublishers: Bool
            @usableFromInline @exclusivity(unchecked) var failure: Upstream.Failure?

            @inlinable
            init(
                downstream: Downstream, maxPublishers: Subscribers.Demand,
                transform: @escaping (Upstream.Output) -> NewPublisher
            ) {
                self.downstream = downstream
                self.maxPublishers = maxPublishers
                addDemand = { $0.add($1) }
                self.transform = transform
                knowsPublishers = Foreknown<NewPublisher>.isPossible
            }

            @inlinable
            func receive(subscription: any Subscription) {
                lock.lock()
                guard phase == .awaiting, upstream == nil else {
                    lock.unlock()
                    subscription.cancel()
                    return
                }
                phase = .subscribed
                upstream = subscription
                lock.unlock()
                subscription.request(maxPublishers)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                lock.lock()
                guard phase == .subscribed, let transform else {
                    lock.unlock()
                    return .none
                }
                if knowsPublishers {
                    knownPublishers += 1
                    lock.unlock()
                    receive(Foreknown(transform(input)))
                    return .none
                }
                let child = Child(parent: self)
                children.append(child)
                lock.unlock()
                transform(input).subscribe(child)
                return .none
            }

            /// Does in one go what happens where a child subscribes to such a publisher.
            @inlinable
            func receive(_ known: Foreknown<NewPublisher>) {
                lock.lock()
                if case .value(let value) = known, phase == .subscribed || phase == .finished, let downstream {
                    let entry = demand > .none && kept.isEmpty ? turn.enter() : .refused
                    if entry == .refused {
                        kept.append((nil, value))
                    } else {
                        demand -= 1
                        lock.unlock()
                        let more = downstream.receive(value)
                        lock.lock()
                        turn.leave(entry)
                        if more == .none, kept.isEmpty, phase == .subscribed, maxPublishers == .unlimited {
                            knownPublishers -= 1
                            lock.unlock()
                            return
                        }
                        addAndUnlock(more)
                        lock.lock()
                    }
                }
                knownPublishers -= 1
                if case .failure(let error) = known {
                    endChildAndUnlock(.failure(error))
                } else {
                    endChildAndUnlock(.finished)
                }
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                lock.lock()
                guard phase == .subscribed || phase == .awaiting else {
                    lock.unlock()
                    return
                }
                let upstream = self.upstream
                self.upstream = nil
                switch completion {
                case .finished: phase = .finished
                case .failure(let error): fail(error)
                }
                settleAndUnlock()
                _ = upstream
            }

            /// The subscription of a child has come: what it is asked for.
            @inlinable
            func initialDemand() -> Subscribers.Demand {
                lock.lock()
                defer { lock.unlock() }
                return demand == .unlimited ? .unlimited : .max(1)
            }

            @inlinable
            func receive(_ value: NewPublisher.Output, from child: Child) -> Subscribers.Demand {
                lock.lock()
                guard phase == .subscribed || phase == .finished, let downstream else {
                    lock.unlock()
                    return .none
                }
                let entry = demand > .none && kept.isEmpty ? turn.enter() : .refused
                guard entry != .refused else {
                    kept.append((child, value))
                    lock.unlock()
                    return .none
                }
                demand -= 1
                let isUnlimited = demand == .unlimited
                lock.unlock()
                let more = downstream.receive(value)
                lock.lock()
                turn.leave(entry)
                if more == .none, kept.isEmpty, phase == .subscribed {
                    lock.unlock()
                } else {
                    addAndUnlock(more)
                }
                return isUnlimited ? .none : .max(1)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>, from child: Child) {
                lock.lock()
                guard children.remove(child) else {
                    lock.unlock()
                    return
                }
                endChildAndUnlock(completion)
            }

            @inlinable
            func endChildAndUnlock(_ completion: Subscribers.Completion<Upstream.Failure>) {
                guard phase == .subscribed || phase == .finished else {
                    lock.unlock()
                    return
                }
                switch completion {
                case .finished:
                    let upstream = maxPublishers == .unlimited ? nil : self.upstream
                    if let upstream {
                        lock.unlock()
                        upstream.request(.max(1))
                        lock.lock()
                    }
                case .failure(let error):
                    // The upstream is cancelled at the end. Apple's leaves it running, and this is the one place where ours does
                    // not do the same: what no subscriber can receive any more should not go on.
                    fail(error)
                }
                settleAndUnlock()
            }

            /// With the lock.
            @inlinable
            func fail(_ error: Upstream.Failure) {
                phase = .failed
                failure = error
            }

            @inlinable
            func request(_ demand: Subscribers.Demand) {
                demand.requireSome()
                addDemand(self, demand)
            }

            /// Adds to the demand and passes on what was kept.
            @inlinable
            func add(_ more: Subscribers.Demand) {
                lock.lock()
                addAndUnlock(more)
            }

            @inlinable
            func addAndUnlock(_ more: Subscribers.Demand) {
                let wasUnlimited = demand == .unlimited
                guard phase != .over, !wasUnlimited else {
                    settleAndUnlock()
                    return
                }
                demand += more
                let openChildren = demand == .unlimited ? children : .none
                settleAndUnlock()
                openChildren.forEach { $0.request(.unlimited) }
            }

            /// Passes on what was kept and there is demand for, and the end, once upstream and every child have sent
            /// theirs and nothing is kept. Where another thread is at that, it does this too.
            @inlinable
            func settleAndUnlock() {
                let entry = turn.enter()
                guard entry != .refused else {
                    lock.unlock()
                    return
                }
                while demand > .none, let downstream, let (child, value) = kept.popFirst() {
                    demand -= 1
                    lock.unlock()
                    let more = downstream.receive(value)
                    lock.lock()
                    let wasUnlimited = demand == .unlimited
                    demand += more
                    if demand != .unlimited {
                        lock.unlock()
                        child?.request(.max(1))
                        lock.lock()
                    } else if !wasUnlimited {
                        let openChildren = children
                        lock.unlock()
                        openChildren.forEach { $0.request(.unlimited) }
                        lock.lock()
                    }
                }
                let isDone =
                    phase == .failed
                    || phase == .finished && children.isEmpty && knownPublishers == 0 && kept.isEmpty
                let failure = self.failure
                if !isDone {
                    turn.leave(entry)
                }
                lock.unlock()
                if isDone {
                    end(cancellingUpstream: true)?.receive(completion: failure.map { .failure($0) } ?? .finished)
                }
            }

            @inlinable
            func cancel() {
                _ = end(cancellingUpstream: true)
            }

            /// Lets go of everything, and returns the downstream to the one who ended it.
            @inlinable
            func end(cancellingUpstream: Bool) -> Downstream? {
                lock.lock()
                guard phase != .over else {
                    lock.unlock()
                    return nil
                }
                phase = .over
                let released = (downstream, transform, kept, upstream, failure)
                let children = self.children
                downstream = nil
                transform = nil
                kept = Queue()
                upstream = nil
                failure = nil
                self.children = .none
                lock.unlock()
                children.forEach { $0.cancel() }
                if cancellingUpstream {
                    released.3?.cancel()
                }
                return released.0
            }

            @usableFromInline
            var description: String { "FlatMap" }

            /// Most of the time there is one child or none.
            @usableFromInline
            enum Children {
                case none
                case one(Child)
                case many([ObjectIdentifier: Child])

                @inlinable
                var isEmpty: Bool {
                    if case .none = self { return true }
                    return false
                }

                @inlinable
                mutating func append(_ child: Child) {
                    switch consume self {
                    case .none:
                        self = .one(child)
                    case .one(let first):
                        self = .many([ObjectIdentifier(first): first, ObjectIdentifier(child): child])
                    case .many(var children):
                        self = .none
                        children[ObjectIdentifier(child)] = child
                        self = .many(children)
                    }
                }

                @inlinable
                mutating func remove(_ child: Child) -> Bool {
                    switch consume self {
                    case .none:
                        self = .none
                        return false
                    case .one(let first):
                        let isIt = first === child
                        self = isIt ? .none : .one(first)
                        return isIt
                    case .many(var children):
                        self = .none
                        let removed = children.removeValue(forKey: ObjectIdentifier(child))
                        self = children.isEmpty ? .none : .many(children)
                        return removed != nil
                    }
                }

                @inlinable
                func forEach(_ body: (Child) -> Void) {
                    switch self {
                    case .none: break
                    case .one(let child): body(child)
                    case .many(let children): children.values.forEach(body)
                    }
                }
            }

            @usableFromInline
            final class Child: SingleUpstreamStage, Subscriber, StageDescription {
                @usableFromInline
                typealias Input = NewPublisher.Output
                @usableFromInline
                typealias Failure = NewPublisher.Failure

                @usableFromInline let parent: Outer

                @inlinable
                init(parent: Outer) {
                    self.parent = parent
                }

                @inlinable
                func receive(subscription: any Subscription) {
                    guard connect(subscription) else { return }
                    subscription.request(parent.initialDemand())
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
