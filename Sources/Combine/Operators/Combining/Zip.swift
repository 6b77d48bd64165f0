extension Publisher {
    /// Sends the first values of two publishers together, then the second, and so on.
    public func zip<P>(_ other: P) -> Publishers.Zip<Self, P> where P: Publisher, Failure == P.Failure {
        .init(self, other)
    }

    /// Sends what the closure makes of the first values of two publishers, then of the second, and so on.
    public func zip<P, T>(
        _ other: P, _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.Zip<Self, P>, T>
    where P: Publisher, Failure == P.Failure {
        zip(other).map(transform)
    }

    /// Sends the first values of three publishers together, then the second, and so on.
    public func zip<P, Q>(_ publisher1: P, _ publisher2: Q) -> Publishers.Zip3<Self, P, Q>
    where P: Publisher, Q: Publisher, Failure == P.Failure, P.Failure == Q.Failure {
        .init(self, publisher1, publisher2)
    }

    /// Sends what the closure makes of the first values of three publishers, then of the second, and so on.
    public func zip<P, Q, T>(
        _ publisher1: P, _ publisher2: Q,
        _ transform: @escaping (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T>
    where P: Publisher, Q: Publisher, Failure == P.Failure, P.Failure == Q.Failure {
        zip(publisher1, publisher2).map(transform)
    }

    /// Sends the first values of four publishers together, then the second, and so on.
    public func zip<P, Q, R>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R
    ) -> Publishers.Zip4<Self, P, Q, R>
    where P: Publisher, Q: Publisher, R: Publisher, Failure == P.Failure, P.Failure == Q.Failure, Q.Failure == R.Failure
    {
        .init(self, publisher1, publisher2, publisher3)
    }

    /// Sends what the closure makes of the first values of four publishers, then of the second, and so on.
    public func zip<P, Q, R, T>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R,
        _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
    ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T>
    where P: Publisher, Q: Publisher, R: Publisher, Failure == P.Failure, P.Failure == Q.Failure, Q.Failure == R.Failure
    {
        zip(publisher1, publisher2, publisher3).map(transform)
    }
}

extension Publishers {
    /// What `zip` with one other returns.
    public struct Zip<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure

        public let a: A
        public let b: B

        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S>(subscriber: S) where S: Subscriber, B.Failure == S.Failure, S.Input == Output {
            let queueA = ZipQueue<A.Output>()
            let queueB = ZipQueue<B.Output>()
            let stage = ZipStage(
                subscriber, slots: [queueA, queueB],
                removeAll: {
                    queueA.removeAll()
                    queueB.removeAll()
                },
                combine: { (queueA.removeFirst(), queueB.removeFirst()) })
            a.subscribe(CombiningUpstreamSubscriber(0, of: stage, slot: queueA))
            b.subscribe(CombiningUpstreamSubscriber(1, of: stage, slot: queueB))
            stage.open()
        }
    }
}

extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}

extension Publishers {
    /// What `zip` with two others returns.
    public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
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
            let queueA = ZipQueue<A.Output>()
            let queueB = ZipQueue<B.Output>()
            let queueC = ZipQueue<C.Output>()
            let stage = ZipStage(
                subscriber, slots: [queueA, queueB, queueC],
                removeAll: {
                    queueA.removeAll()
                    queueB.removeAll()
                    queueC.removeAll()
                },
                combine: { (queueA.removeFirst(), queueB.removeFirst(), queueC.removeFirst()) })
            a.subscribe(CombiningUpstreamSubscriber(0, of: stage, slot: queueA))
            b.subscribe(CombiningUpstreamSubscriber(1, of: stage, slot: queueB))
            c.subscribe(CombiningUpstreamSubscriber(2, of: stage, slot: queueC))
            stage.open()
        }
    }
}

extension Publishers.Zip3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers {
    /// What `zip` with three others returns.
    public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
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
            let queueA = ZipQueue<A.Output>()
            let queueB = ZipQueue<B.Output>()
            let queueC = ZipQueue<C.Output>()
            let queueD = ZipQueue<D.Output>()
            let stage = ZipStage(
                subscriber, slots: [queueA, queueB, queueC, queueD],
                removeAll: {
                    queueA.removeAll()
                    queueB.removeAll()
                    queueC.removeAll()
                    queueD.removeAll()
                },
                combine: { (queueA.removeFirst(), queueB.removeFirst(), queueC.removeFirst(), queueD.removeFirst()) })
            a.subscribe(CombiningUpstreamSubscriber(0, of: stage, slot: queueA))
            b.subscribe(CombiningUpstreamSubscriber(1, of: stage, slot: queueB))
            c.subscribe(CombiningUpstreamSubscriber(2, of: stage, slot: queueC))
            d.subscribe(CombiningUpstreamSubscriber(3, of: stage, slot: queueD))
            stage.open()
        }
    }
}

extension Publishers.Zip4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

/// The values of one publisher that wait for those of the others, in a ring that grows.
private final class ZipQueue<Value>: SlotOf<Value> {
    private var ring = UnsafeMutablePointer<Value>.allocate(capacity: 8)
    private var mask = 7
    private var head = 0

    deinit {
        removeAll()
        ring.deallocate()
    }

    override func store(_ value: inout Value) {
        if count > mask {
            grow()
        }
        (ring + ((head + count) & mask)).initialize(to: value)
        count += 1
    }

    /// There is one: a stage looks at the count before.
    func removeFirst() -> Value {
        precondition(count > 0, "A line of values is empty.")
        let first = ring + head
        head = (head + 1) & mask
        count -= 1
        return first.move()
    }

    private func grow() {
        let grown = UnsafeMutablePointer<Value>.allocate(capacity: count * 2)
        let upToEnd = count - head
        grown.moveInitialize(from: ring + head, count: upToEnd)
        (grown + upToEnd).moveInitialize(from: ring, count: head)
        ring.deallocate()
        ring = grown
        mask = count * 2 - 1
        head = 0
    }

    override func removeAll() {
        while count > 0 {
            _ = removeFirst()
        }
    }
}

private final class ZipStage<Downstream: Subscriber>: CombiningStage<Downstream> {
    override func hasNext() -> Bool { slots.allSatisfy { $0.count > 0 } }

    override func sendNext() -> (more: Subscribers.Demand, upstream: Int) { (send(combine()), 0) }

    /// If one queue is finished and empty, the values of the others can never be combined.
    override func isOver() -> Bool { slots.contains { $0.isExhausted } }

    override var ignoresDemand: Bool { true }

    override var cancelsFailedUpstream: Bool { true }

    override var description: String { "Zip" }
}
