extension Publisher {
    /// Sends the first values of two publishers together, then the second, and so on.
    public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where Failure == P.Failure {
        .init(self, other)
    }

    /// Sends what the closure makes of the first values of two publishers, then of the second, and so on.
    public func zip<P: Publisher, T>(
        _ other: P, _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.Zip<Self, P>, T> where Failure == P.Failure {
        zip(other).map(transform)
    }

    /// Sends the first values of three publishers together, then the second, and so on.
    public func zip<P: Publisher, Q: Publisher>(_ publisher1: P, _ publisher2: Q) -> Publishers.Zip3<Self, P, Q>
    where Failure == P.Failure, Failure == Q.Failure {
        .init(self, publisher1, publisher2)
    }

    /// Sends what the closure makes of the first values of three publishers, then of the second, and so on.
    public func zip<P: Publisher, Q: Publisher, T>(
        _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T>
    where Failure == P.Failure, Failure == Q.Failure {
        zip(publisher1, publisher2).map(transform)
    }

    /// Sends the first values of four publishers together, then the second, and so on.
    public func zip<P: Publisher, Q: Publisher, R: Publisher>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R
    ) -> Publishers.Zip4<Self, P, Q, R>
    where Failure == P.Failure, Failure == Q.Failure, Failure == R.Failure {
        .init(self, publisher1, publisher2, publisher3)
    }

    /// Sends what the closure makes of the first values of four publishers, then of the second, and so on.
    public func zip<P: Publisher, Q: Publisher, R: Publisher, T>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R,
        _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
    ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T>
    where Failure == P.Failure, Failure == Q.Failure, Failure == R.Failure {
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
            let stage = MultiUpstreamStage(.zip, "Zip", subscriber)
            let slotA = stage.subscribe(to: a)
            let slotB = stage.subscribe(to: b)
            stage.open { (slotA.removeFirst(), slotB.removeFirst()) }
        }
    }

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
            let stage = MultiUpstreamStage(.zip, "Zip", subscriber)
            let slotA = stage.subscribe(to: a)
            let slotB = stage.subscribe(to: b)
            let slotC = stage.subscribe(to: c)
            stage.open { (slotA.removeFirst(), slotB.removeFirst(), slotC.removeFirst()) }
        }
    }

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
            let stage = MultiUpstreamStage(.zip, "Zip", subscriber)
            let slotA = stage.subscribe(to: a)
            let slotB = stage.subscribe(to: b)
            let slotC = stage.subscribe(to: c)
            let slotD = stage.subscribe(to: d)
            stage.open { (slotA.removeFirst(), slotB.removeFirst(), slotC.removeFirst(), slotD.removeFirst()) }
        }
    }
}

extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Zip3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.Zip4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
