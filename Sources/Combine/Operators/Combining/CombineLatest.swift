extension Publisher {
    /// Sends the latest values of two publishers, as soon as each has one, whenever one of them sends.
    public func combineLatest<P>(_ other: P) -> Publishers.CombineLatest<Self, P>
    where P: Publisher, Failure == P.Failure {
        .init(self, other)
    }

    /// Sends what the closure makes of the latest values of two publishers.
    public func combineLatest<P, T>(
        _ other: P, _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T>
    where P: Publisher, Failure == P.Failure {
        combineLatest(other).map(transform)
    }

    /// Sends the latest values of three publishers, as soon as each has one, whenever one of them sends.
    public func combineLatest<P, Q>(_ publisher1: P, _ publisher2: Q) -> Publishers.CombineLatest3<Self, P, Q>
    where P: Publisher, Q: Publisher, Failure == P.Failure, P.Failure == Q.Failure {
        .init(self, publisher1, publisher2)
    }

    /// Sends what the closure makes of the latest values of three publishers.
    public func combineLatest<P, Q, T>(
        _ publisher1: P, _ publisher2: Q,
        _ transform: @escaping (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T>
    where P: Publisher, Q: Publisher, Failure == P.Failure, P.Failure == Q.Failure {
        combineLatest(publisher1, publisher2).map(transform)
    }

    /// Sends the latest values of four publishers, as soon as each has one, whenever one of them sends.
    public func combineLatest<P, Q, R>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R
    ) -> Publishers.CombineLatest4<Self, P, Q, R>
    where P: Publisher, Q: Publisher, R: Publisher, Failure == P.Failure, P.Failure == Q.Failure, Q.Failure == R.Failure
    {
        .init(self, publisher1, publisher2, publisher3)
    }

    /// Sends what the closure makes of the latest values of four publishers.
    public func combineLatest<P, Q, R, T>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R,
        _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T>
    where P: Publisher, Q: Publisher, R: Publisher, Failure == P.Failure, P.Failure == Q.Failure, Q.Failure == R.Failure
    {
        combineLatest(publisher1, publisher2, publisher3).map(transform)
    }
}

extension Publishers {
    /// What `combineLatest` with one other returns.
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure

        public let a: A
        public let b: B

        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S>(subscriber: S) where S: Subscriber, B.Failure == S.Failure, S.Input == Output {
            let latestA = Latest<A.Output>()
            let latestB = Latest<B.Output>()
            let stage = CombineLatestStage(
                subscriber, slots: [latestA, latestB],
                removeAll: {
                    latestA.removeAll()
                    latestB.removeAll()
                },
                combine: { (latestA.value, latestB.value) })
            a.subscribe(CombiningUpstreamSubscriber(0, of: stage, slot: latestA))
            b.subscribe(CombiningUpstreamSubscriber(1, of: stage, slot: latestB))
            stage.open()
        }
    }
}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}

extension Publishers {
    /// What `combineLatest` with two others returns.
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Failure == B.Failure, B.Failure == C.Failure {
        public typealias Output = (A.Output, B.Output, C.Output)
        public typealias Failure = A.Failure

        public let a: A
        public let b: B
        public let c: C

        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        public func receive<S>(subscriber: S) where S: Subscriber, C.Failure == S.Failure, S.Input == Output {
            let latestA = Latest<A.Output>()
            let latestB = Latest<B.Output>()
            let latestC = Latest<C.Output>()
            let stage = CombineLatestStage(
                subscriber, slots: [latestA, latestB, latestC],
                removeAll: {
                    latestA.removeAll()
                    latestB.removeAll()
                    latestC.removeAll()
                },
                combine: { (latestA.value, latestB.value, latestC.value) })
            a.subscribe(CombiningUpstreamSubscriber(0, of: stage, slot: latestA))
            b.subscribe(CombiningUpstreamSubscriber(1, of: stage, slot: latestB))
            c.subscribe(CombiningUpstreamSubscriber(2, of: stage, slot: latestC))
            stage.open()
        }
    }
}

extension Publishers.CombineLatest3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers {
    /// What `combineLatest` with three others returns.
    public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
        public typealias Output = (A.Output, B.Output, C.Output, D.Output)
        public typealias Failure = A.Failure

        public let a: A
        public let b: B
        public let c: C
        public let d: D

        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
        }

        public func receive<S>(subscriber: S) where S: Subscriber, D.Failure == S.Failure, S.Input == Output {
            let latestA = Latest<A.Output>()
            let latestB = Latest<B.Output>()
            let latestC = Latest<C.Output>()
            let latestD = Latest<D.Output>()
            let stage = CombineLatestStage(
                subscriber, slots: [latestA, latestB, latestC, latestD],
                removeAll: {
                    latestA.removeAll()
                    latestB.removeAll()
                    latestC.removeAll()
                    latestD.removeAll()
                },
                combine: { (latestA.value, latestB.value, latestC.value, latestD.value) })
            a.subscribe(CombiningUpstreamSubscriber(0, of: stage, slot: latestA))
            b.subscribe(CombiningUpstreamSubscriber(1, of: stage, slot: latestB))
            c.subscribe(CombiningUpstreamSubscriber(2, of: stage, slot: latestC))
            d.subscribe(CombiningUpstreamSubscriber(3, of: stage, slot: latestD))
            stage.open()
        }
    }
}

extension Publishers.CombineLatest4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

/// The latest value of one publisher.
private final class Latest<Value>: SlotOf<Value> {
    private let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    deinit {
        removeAll()
        place.deallocate()
    }

    /// There is one: a stage looks at the count before.
    var value: Value {
        precondition(count == 1, "There is no latest value.")
        return place.pointee
    }

    override func store(_ value: inout Value) {
        if count == 1 {
            swap(&place.pointee, &value)
        } else {
            place.initialize(to: value)
            count = 1
        }
    }

    override func removeAll() {
        guard count == 1 else { return }
        count = 0
        place.deinitialize(count: 1)
    }
}

private final class CombineLatestStage<Downstream: Subscriber>: CombiningStage<Downstream> {
    /// Usually a combination goes down at once, and is never stored. Those that were made while something else was on
    /// its way down wait here.
    private var waiting = Queue<Downstream.Input>()
    private var waitingCount = 0

    override func hasNext() -> Bool { waitingCount > 0 || isFresh && slots.allSatisfy { $0.count > 0 } }

    override func sendNext() -> (more: Subscribers.Demand, upstream: Int) {
        if waitingCount > 0, let next = waiting.popFirst() {
            waitingCount -= 1
            return (send(next), 0)
        }
        isFresh = false
        return (send(combine()), 0)
    }

    override func leave(demand: Subscribers.Demand) {
        guard isFresh else { return }
        isFresh = false
        if demand > waitingCount, slots.allSatisfy({ $0.count > 0 }) {
            waiting.append(combine())
            waitingCount += 1
        }
    }

    /// A combination for which there is no demand is lost; its values go into the next one.
    override func skip() {
        isFresh = false
    }

    /// No combination will come, where all are over, or one that never sent.
    override func isOver() -> Bool {
        slots.allSatisfy { $0.hasFinished } || slots.contains { $0.isExhausted }
    }

    override func empty() {
        super.empty()
        waiting = Queue()
    }

    override var description: String { "CombineLatest" }
}
