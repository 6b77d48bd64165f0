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
            let junction = Junction<S, LinesOf2<A.Output, B.Output>>(subscriber, inlets: 2)
            a.subscribe(junction.inlet(0) { $0.a.store(&$2) })
            b.subscribe(junction.inlet(1) { $0.b.store(&$2) })
            junction.open()
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
            let junction = Junction<S, LinesOf3<A.Output, B.Output, C.Output>>(subscriber, inlets: 3)
            a.subscribe(junction.inlet(0) { $0.a.store(&$2) })
            b.subscribe(junction.inlet(1) { $0.b.store(&$2) })
            c.subscribe(junction.inlet(2) { $0.c.store(&$2) })
            junction.open()
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
            let junction = Junction<S, LinesOf4<A.Output, B.Output, C.Output, D.Output>>(subscriber, inlets: 4)
            a.subscribe(junction.inlet(0) { $0.a.store(&$2) })
            b.subscribe(junction.inlet(1) { $0.b.store(&$2) })
            c.subscribe(junction.inlet(2) { $0.c.store(&$2) })
            d.subscribe(junction.inlet(3) { $0.d.store(&$2) })
            junction.open()
        }
    }
}

extension Publishers.Zip4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

/// The values of one publisher that wait for those of the others.
private struct Line<Value> {
    private var queue = Queue<Value>()
    var hasFinished = false

    var isEmpty: Bool { queue.isEmpty }

    /// No value of this line will ever come again.
    var isOver: Bool { hasFinished && queue.isEmpty }

    mutating func store(_ value: inout Value?) {
        if let value = value.take() {
            queue.append(value)
        }
    }

    mutating func popFirst() -> Value? { queue.popFirst() }
}

private protocol Lines: Confluence {}

extension Lines {
    static var name: String { "Zip" }
    static var needsEveryInlet: Bool { true }
}

private struct LinesOf2<A, B>: Lines {
    var a = Line<A>()
    var b = Line<B>()

    init(inlets: Int) {}

    mutating func next() -> ((A, B), inlet: Int)? {
        guard !a.isEmpty, !b.isEmpty, let a = a.popFirst(), let b = b.popFirst() else { return nil }
        return ((a, b), 0)
    }

    mutating func finish(_ inlet: Int) {
        if inlet == 0 { a.hasFinished = true } else { b.hasFinished = true }
    }

    var isFinished: Bool { a.isOver || b.isOver }
}

private struct LinesOf3<A, B, C>: Lines {
    var a = Line<A>()
    var b = Line<B>()
    var c = Line<C>()

    init(inlets: Int) {}

    mutating func next() -> ((A, B, C), inlet: Int)? {
        guard !a.isEmpty, !b.isEmpty, !c.isEmpty,
            let a = a.popFirst(), let b = b.popFirst(), let c = c.popFirst()
        else { return nil }
        return ((a, b, c), 0)
    }

    mutating func finish(_ inlet: Int) {
        switch inlet {
        case 0: a.hasFinished = true
        case 1: b.hasFinished = true
        default: c.hasFinished = true
        }
    }

    var isFinished: Bool { a.isOver || b.isOver || c.isOver }
}

private struct LinesOf4<A, B, C, D>: Lines {
    var a = Line<A>()
    var b = Line<B>()
    var c = Line<C>()
    var d = Line<D>()

    init(inlets: Int) {}

    mutating func next() -> ((A, B, C, D), inlet: Int)? {
        guard !a.isEmpty, !b.isEmpty, !c.isEmpty, !d.isEmpty,
            let a = a.popFirst(), let b = b.popFirst(), let c = c.popFirst(), let d = d.popFirst()
        else { return nil }
        return ((a, b, c, d), 0)
    }

    mutating func finish(_ inlet: Int) {
        switch inlet {
        case 0: a.hasFinished = true
        case 1: b.hasFinished = true
        case 2: c.hasFinished = true
        default: d.hasFinished = true
        }
    }

    var isFinished: Bool { a.isOver || b.isOver || c.isOver || d.isOver }
}
