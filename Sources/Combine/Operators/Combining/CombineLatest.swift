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
            let junction = Junction<S, LatestOf2<A.Output, B.Output>>(subscriber, inlets: 2)
            a.subscribe(junction.inlet(0) { $0.a.store(&$2, renewing: &$0.combinations) })
            b.subscribe(junction.inlet(1) { $0.b.store(&$2, renewing: &$0.combinations) })
            junction.open()
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
            let junction = Junction<S, LatestOf3<A.Output, B.Output, C.Output>>(subscriber, inlets: 3)
            a.subscribe(junction.inlet(0) { $0.a.store(&$2, renewing: &$0.combinations) })
            b.subscribe(junction.inlet(1) { $0.b.store(&$2, renewing: &$0.combinations) })
            c.subscribe(junction.inlet(2) { $0.c.store(&$2, renewing: &$0.combinations) })
            junction.open()
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
            let junction = Junction<S, LatestOf4<A.Output, B.Output, C.Output, D.Output>>(subscriber, inlets: 4)
            a.subscribe(junction.inlet(0) { $0.a.store(&$2, renewing: &$0.combinations) })
            b.subscribe(junction.inlet(1) { $0.b.store(&$2, renewing: &$0.combinations) })
            c.subscribe(junction.inlet(2) { $0.c.store(&$2, renewing: &$0.combinations) })
            d.subscribe(junction.inlet(3) { $0.d.store(&$2, renewing: &$0.combinations) })
            junction.open()
        }
    }
}

extension Publishers.CombineLatest4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

/// The latest value of one publisher.
private struct Latest<Value> {
    private(set) var value: Value?
    var hasFinished = false

    /// There is no value and there will be none.
    var isBarren: Bool { hasFinished && value == nil }

    /// Leaves in `newValue` what was the latest before.
    mutating func store<Values>(_ newValue: inout Value?, renewing combinations: inout Combinations<Values>) {
        swap(&value, &newValue)
        combinations.isFresh = true
    }
}

/// Combinations that have not gone down yet. Usually the one that the last value made goes at once, and is never
/// stored; those that were made while something else was on its way down wait here.
private struct Combinations<Values> {
    var waiting = Queue<Values>()
    var isFresh = false

    /// Whether the last value made a combination that was not seen to yet.
    mutating func takeFresh() -> Bool {
        defer { isFresh = false }
        return isFresh
    }
}

private protocol LatestValues: Confluence {
    var combinations: Combinations<Output> { get set }

    /// The latest values, once there is one of each.
    var values: Output? { get }
}

extension LatestValues {
    static var name: String { "CombineLatest" }

    static var needsEveryInlet: Bool { true }

    mutating func next() -> (Output, inlet: Int)? {
        if let values = combinations.waiting.popFirst() {
            return (values, 0)
        }
        guard combinations.takeFresh(), let values else { return nil }
        return (values, 0)
    }

    mutating func leave(demand: Subscribers.Demand) {
        guard combinations.takeFresh(), demand > combinations.waiting.count, let values else { return }
        combinations.waiting.append(values)
    }

    /// A combination for which there is no demand is lost; its values go into the next one.
    mutating func skip() {
        combinations.isFresh = false
    }
}

private struct LatestOf2<A, B>: LatestValues {
    typealias Output = (A, B)

    var a = Latest<A>()
    var b = Latest<B>()
    var combinations = Combinations<Output>()

    init(inlets: Int) {}

    var values: (A, B)? {
        guard let a = a.value, let b = b.value else { return nil }
        return (a, b)
    }

    mutating func finish(_ inlet: Int) {
        if inlet == 0 { a.hasFinished = true } else { b.hasFinished = true }
    }

    var isFinished: Bool {
        a.hasFinished && b.hasFinished
            || a.isBarren || b.isBarren
    }
}

private struct LatestOf3<A, B, C>: LatestValues {
    typealias Output = (A, B, C)

    var a = Latest<A>()
    var b = Latest<B>()
    var c = Latest<C>()
    var combinations = Combinations<Output>()

    init(inlets: Int) {}

    var values: (A, B, C)? {
        guard let a = a.value, let b = b.value, let c = c.value else { return nil }
        return (a, b, c)
    }

    mutating func finish(_ inlet: Int) {
        switch inlet {
        case 0: a.hasFinished = true
        case 1: b.hasFinished = true
        default: c.hasFinished = true
        }
    }

    var isFinished: Bool {
        a.hasFinished && b.hasFinished && c.hasFinished
            || a.isBarren || b.isBarren || c.isBarren
    }
}

private struct LatestOf4<A, B, C, D>: LatestValues {
    typealias Output = (A, B, C, D)

    var a = Latest<A>()
    var b = Latest<B>()
    var c = Latest<C>()
    var d = Latest<D>()
    var combinations = Combinations<Output>()

    init(inlets: Int) {}

    var values: (A, B, C, D)? {
        guard let a = a.value, let b = b.value, let c = c.value, let d = d.value else { return nil }
        return (a, b, c, d)
    }

    mutating func finish(_ inlet: Int) {
        switch inlet {
        case 0: a.hasFinished = true
        case 1: b.hasFinished = true
        case 2: c.hasFinished = true
        default: d.hasFinished = true
        }
    }

    var isFinished: Bool {
        a.hasFinished && b.hasFinished && c.hasFinished && d.hasFinished
            || a.isBarren || b.isBarren || c.isBarren || d.isBarren
    }
}
