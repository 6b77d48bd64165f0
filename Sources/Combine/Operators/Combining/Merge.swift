extension Publisher {
    /// Sends the values of this publisher and of another as they come.
    public func merge<P: Publisher<Output, Failure>>(with other: P) -> Publishers.Merge<Self, P> {
        .init(self, other)
    }

    /// Sends the values of three publishers as they come.
    public func merge<
        B: Publisher<Output, Failure>, C: Publisher<Output, Failure>
    >(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C> {
        .init(self, b, c)
    }

    /// Sends the values of four publishers as they come.
    public func merge<
        B: Publisher<Output, Failure>, C: Publisher<Output, Failure>, D: Publisher<Output, Failure>
    >(with b: B, _ c: C, _ d: D) -> Publishers.Merge4<Self, B, C, D> {
        .init(self, b, c, d)
    }

    /// Sends the values of five publishers as they come.
    public func merge<
        B: Publisher<Output, Failure>, C: Publisher<Output, Failure>, D: Publisher<Output, Failure>,
        E: Publisher<Output, Failure>
    >(with b: B, _ c: C, _ d: D, _ e: E) -> Publishers.Merge5<Self, B, C, D, E> {
        .init(self, b, c, d, e)
    }

    /// Sends the values of six publishers as they come.
    public func merge<
        B: Publisher<Output, Failure>, C: Publisher<Output, Failure>, D: Publisher<Output, Failure>,
        E: Publisher<Output, Failure>, F: Publisher<Output, Failure>
    >(with b: B, _ c: C, _ d: D, _ e: E, _ f: F) -> Publishers.Merge6<Self, B, C, D, E, F> {
        .init(self, b, c, d, e, f)
    }

    /// Sends the values of seven publishers as they come.
    public func merge<
        B: Publisher<Output, Failure>, C: Publisher<Output, Failure>, D: Publisher<Output, Failure>,
        E: Publisher<Output, Failure>, F: Publisher<Output, Failure>, G: Publisher<Output, Failure>
    >(with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) -> Publishers.Merge7<Self, B, C, D, E, F, G> {
        .init(self, b, c, d, e, f, g)
    }

    /// Sends the values of eight publishers as they come.
    public func merge<
        B: Publisher<Output, Failure>, C: Publisher<Output, Failure>, D: Publisher<Output, Failure>,
        E: Publisher<Output, Failure>, F: Publisher<Output, Failure>, G: Publisher<Output, Failure>,
        H: Publisher<Output, Failure>
    >(with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) -> Publishers.Merge8<Self, B, C, D, E, F, G, H> {
        .init(self, b, c, d, e, f, g, h)
    }

    /// Sends the values of this publisher and of another of its type as they come.
    public func merge(with other: Self) -> Publishers.MergeMany<Self> {
        .init([self, other])
    }
}

extension Publishers {
    /// What `merge` with one other returns.
    public struct Merge<A: Publisher, B: Publisher<A.Output, A.Failure>>: Publisher {
        public typealias Output = A.Output
        public typealias Failure = A.Failure

        public let a: A
        public let b: B

        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S>(subscriber: S) where S: Subscriber, B.Failure == S.Failure, B.Output == S.Input {
            MultiUpstreamStage.merge([a.subscribe, b.subscribe], into: subscriber)
        }

        /// Joins another publisher, so that all 3 are merged at once.
        public func merge<P: Publisher<Output, Failure>>(with other: P) -> Publishers.Merge3<A, B, P> {
            .init(a, b, other)
        }

        /// Joins two others, so that all 4 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>
        >(with z: Z, _ y: Y) -> Publishers.Merge4<A, B, Z, Y> {
            .init(a, b, z, y)
        }

        /// Joins three others, so that all 5 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>, X: Publisher<Output, Failure>
        >(with z: Z, _ y: Y, _ x: X) -> Publishers.Merge5<A, B, Z, Y, X> {
            .init(a, b, z, y, x)
        }

        /// Joins four others, so that all 6 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>, X: Publisher<Output, Failure>,
            W: Publisher<Output, Failure>
        >(with z: Z, _ y: Y, _ x: X, _ w: W) -> Publishers.Merge6<A, B, Z, Y, X, W> {
            .init(a, b, z, y, x, w)
        }

        /// Joins five others, so that all 7 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>, X: Publisher<Output, Failure>,
            W: Publisher<Output, Failure>, V: Publisher<Output, Failure>
        >(with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V) -> Publishers.Merge7<A, B, Z, Y, X, W, V> {
            .init(a, b, z, y, x, w, v)
        }

        /// Joins six others, so that all 8 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>, X: Publisher<Output, Failure>,
            W: Publisher<Output, Failure>, V: Publisher<Output, Failure>, U: Publisher<Output, Failure>
        >(with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V, _ u: U) -> Publishers.Merge8<A, B, Z, Y, X, W, V, U> {
            .init(a, b, z, y, x, w, v, u)
        }
    }

    /// What `merge` with two others returns.
    public struct Merge3<A: Publisher, B: Publisher<A.Output, A.Failure>, C: Publisher<A.Output, A.Failure>>: Publisher
    {
        public typealias Output = A.Output
        public typealias Failure = A.Failure

        public let a: A
        public let b: B
        public let c: C

        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        public func receive<S>(subscriber: S) where S: Subscriber, C.Failure == S.Failure, C.Output == S.Input {
            MultiUpstreamStage.merge([a.subscribe, b.subscribe, c.subscribe], into: subscriber)
        }

        /// Joins another publisher, so that all 4 are merged at once.
        public func merge<P: Publisher<Output, Failure>>(with other: P) -> Publishers.Merge4<A, B, C, P> {
            .init(a, b, c, other)
        }

        /// Joins two others, so that all 5 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>
        >(with z: Z, _ y: Y) -> Publishers.Merge5<A, B, C, Z, Y> {
            .init(a, b, c, z, y)
        }

        /// Joins three others, so that all 6 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>, X: Publisher<Output, Failure>
        >(with z: Z, _ y: Y, _ x: X) -> Publishers.Merge6<A, B, C, Z, Y, X> {
            .init(a, b, c, z, y, x)
        }

        /// Joins four others, so that all 7 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>, X: Publisher<Output, Failure>,
            W: Publisher<Output, Failure>
        >(with z: Z, _ y: Y, _ x: X, _ w: W) -> Publishers.Merge7<A, B, C, Z, Y, X, W> {
            .init(a, b, c, z, y, x, w)
        }

        /// Joins five others, so that all 8 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>, X: Publisher<Output, Failure>,
            W: Publisher<Output, Failure>, V: Publisher<Output, Failure>
        >(with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V) -> Publishers.Merge8<A, B, C, Z, Y, X, W, V> {
            .init(a, b, c, z, y, x, w, v)
        }
    }

    /// What `merge` with three others returns.
    public struct Merge4<
        A: Publisher, B: Publisher<A.Output, A.Failure>, C: Publisher<A.Output, A.Failure>,
        D: Publisher<A.Output, A.Failure>
    >: Publisher {
        public typealias Output = A.Output
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

        public func receive<S>(subscriber: S) where S: Subscriber, D.Failure == S.Failure, D.Output == S.Input {
            MultiUpstreamStage.merge([a.subscribe, b.subscribe, c.subscribe, d.subscribe], into: subscriber)
        }

        /// Joins another publisher, so that all 5 are merged at once.
        public func merge<P: Publisher<Output, Failure>>(with other: P) -> Publishers.Merge5<A, B, C, D, P> {
            .init(a, b, c, d, other)
        }

        /// Joins two others, so that all 6 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>
        >(with z: Z, _ y: Y) -> Publishers.Merge6<A, B, C, D, Z, Y> {
            .init(a, b, c, d, z, y)
        }

        /// Joins three others, so that all 7 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>, X: Publisher<Output, Failure>
        >(with z: Z, _ y: Y, _ x: X) -> Publishers.Merge7<A, B, C, D, Z, Y, X> {
            .init(a, b, c, d, z, y, x)
        }

        /// Joins four others, so that all 8 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>, X: Publisher<Output, Failure>,
            W: Publisher<Output, Failure>
        >(with z: Z, _ y: Y, _ x: X, _ w: W) -> Publishers.Merge8<A, B, C, D, Z, Y, X, W> {
            .init(a, b, c, d, z, y, x, w)
        }
    }

    /// What `merge` with four others returns.
    public struct Merge5<
        A: Publisher, B: Publisher<A.Output, A.Failure>, C: Publisher<A.Output, A.Failure>,
        D: Publisher<A.Output, A.Failure>, E: Publisher<A.Output, A.Failure>
    >: Publisher {
        public typealias Output = A.Output
        public typealias Failure = A.Failure

        public let a: A
        public let b: B
        public let c: C
        public let d: D
        public let e: E

        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
        }

        public func receive<S>(subscriber: S) where S: Subscriber, E.Failure == S.Failure, E.Output == S.Input {
            MultiUpstreamStage.merge(
                [a.subscribe, b.subscribe, c.subscribe, d.subscribe, e.subscribe], into: subscriber)
        }

        /// Joins another publisher, so that all 6 are merged at once.
        public func merge<P: Publisher<Output, Failure>>(with other: P) -> Publishers.Merge6<A, B, C, D, E, P> {
            .init(a, b, c, d, e, other)
        }

        /// Joins two others, so that all 7 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>
        >(with z: Z, _ y: Y) -> Publishers.Merge7<A, B, C, D, E, Z, Y> {
            .init(a, b, c, d, e, z, y)
        }

        /// Joins three others, so that all 8 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>, X: Publisher<Output, Failure>
        >(with z: Z, _ y: Y, _ x: X) -> Publishers.Merge8<A, B, C, D, E, Z, Y, X> {
            .init(a, b, c, d, e, z, y, x)
        }
    }

    /// What `merge` with five others returns.
    public struct Merge6<
        A: Publisher, B: Publisher<A.Output, A.Failure>, C: Publisher<A.Output, A.Failure>,
        D: Publisher<A.Output, A.Failure>, E: Publisher<A.Output, A.Failure>, F: Publisher<A.Output, A.Failure>
    >: Publisher {
        public typealias Output = A.Output
        public typealias Failure = A.Failure

        public let a: A
        public let b: B
        public let c: C
        public let d: D
        public let e: E
        public let f: F

        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
            self.f = f
        }

        public func receive<S>(subscriber: S) where S: Subscriber, F.Failure == S.Failure, F.Output == S.Input {
            MultiUpstreamStage.merge(
                [a.subscribe, b.subscribe, c.subscribe, d.subscribe, e.subscribe, f.subscribe], into: subscriber)
        }

        /// Joins another publisher, so that all 7 are merged at once.
        public func merge<P: Publisher<Output, Failure>>(with other: P) -> Publishers.Merge7<A, B, C, D, E, F, P> {
            .init(a, b, c, d, e, f, other)
        }

        /// Joins two others, so that all 8 are merged at once.
        public func merge<
            Z: Publisher<Output, Failure>, Y: Publisher<Output, Failure>
        >(with z: Z, _ y: Y) -> Publishers.Merge8<A, B, C, D, E, F, Z, Y> {
            .init(a, b, c, d, e, f, z, y)
        }
    }

    /// What `merge` with six others returns.
    public struct Merge7<
        A: Publisher, B: Publisher<A.Output, A.Failure>, C: Publisher<A.Output, A.Failure>,
        D: Publisher<A.Output, A.Failure>, E: Publisher<A.Output, A.Failure>, F: Publisher<A.Output, A.Failure>,
        G: Publisher<A.Output, A.Failure>
    >: Publisher {
        public typealias Output = A.Output
        public typealias Failure = A.Failure

        public let a: A
        public let b: B
        public let c: C
        public let d: D
        public let e: E
        public let f: F
        public let g: G

        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
            self.f = f
            self.g = g
        }

        public func receive<S>(subscriber: S) where S: Subscriber, G.Failure == S.Failure, G.Output == S.Input {
            MultiUpstreamStage.merge(
                [a.subscribe, b.subscribe, c.subscribe, d.subscribe, e.subscribe, f.subscribe, g.subscribe],
                into: subscriber)
        }

        /// Joins another publisher, so that all 8 are merged at once.
        public func merge<P: Publisher<Output, Failure>>(with other: P) -> Publishers.Merge8<A, B, C, D, E, F, G, P> {
            .init(a, b, c, d, e, f, g, other)
        }
    }

    /// What `merge` with seven others returns.
    public struct Merge8<
        A: Publisher, B: Publisher<A.Output, A.Failure>, C: Publisher<A.Output, A.Failure>,
        D: Publisher<A.Output, A.Failure>, E: Publisher<A.Output, A.Failure>, F: Publisher<A.Output, A.Failure>,
        G: Publisher<A.Output, A.Failure>, H: Publisher<A.Output, A.Failure>
    >: Publisher {
        public typealias Output = A.Output
        public typealias Failure = A.Failure

        public let a: A
        public let b: B
        public let c: C
        public let d: D
        public let e: E
        public let f: F
        public let g: G
        public let h: H

        public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
            self.e = e
            self.f = f
            self.g = g
            self.h = h
        }

        public func receive<S>(subscriber: S) where S: Subscriber, H.Failure == S.Failure, H.Output == S.Input {
            MultiUpstreamStage.merge(
                [
                    a.subscribe, b.subscribe, c.subscribe, d.subscribe, e.subscribe, f.subscribe, g.subscribe,
                    h.subscribe,
                ], into: subscriber)
        }
    }

    /// Sends the values of any number of publishers of one type as they come.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let publishers: [Upstream]

        public init(_ upstream: Upstream...) {
            publishers = upstream
        }

        public init<S>(_ upstream: S) where Upstream == S.Element, S: Swift.Sequence {
            publishers = Array(upstream)
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            MultiUpstreamStage.merge(publishers.map { $0.subscribe }, into: subscriber)
        }

        /// Joins another publisher, so that all are merged at once.
        public func merge(with other: Upstream) -> Publishers.MergeMany<Upstream> {
            .init(publishers + [other])
        }
    }
}

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Merge3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.Merge4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
extension Publishers.Merge5: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable {}
extension Publishers.Merge6: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable {}
extension Publishers.Merge7: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable {}
extension Publishers.Merge8: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable, H: Equatable {}
extension Publishers.MergeMany: Equatable where Upstream: Equatable {}
