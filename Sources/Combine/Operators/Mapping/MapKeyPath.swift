extension Publisher {
    /// Turns each value into its property.
    @inlinable
    public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
        .init(upstream: self, keyPath: keyPath)
    }

    /// Turns each value into two of its properties.
    @inlinable
    public func map<T0, T1>(
        _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
    ) -> Publishers.MapKeyPath2<Self, T0, T1> {
        .init(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
    }

    /// Turns each value into three of its properties.
    @inlinable
    public func map<T0, T1, T2>(
        _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>, _ keyPath2: KeyPath<Output, T2>
    ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
        .init(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
    }
}

extension Publishers {
    /// What `map` with a key path returns.
    public struct MapKeyPath<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let keyPath: KeyPath<Upstream.Output, Output>

        @inlinable
        init(upstream: Upstream, keyPath: KeyPath<Upstream.Output, Output>) {
            self.upstream = upstream
            self.keyPath = keyPath
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            let keyPath = self.keyPath
            upstream.subscribe(
                KeyPathStage("ValueForKey", [("keyPath", keyPath)], AnySubscriber(subscriber)) { $0[keyPath: keyPath] })
        }
    }

    /// What `map` with two key paths returns.
    public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: Publisher {
        public typealias Output = (Output0, Output1)
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let keyPath0: KeyPath<Upstream.Output, Output0>
        public let keyPath1: KeyPath<Upstream.Output, Output1>

        @inlinable
        init(
            upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>, keyPath1: KeyPath<Upstream.Output, Output1>
        ) {
            self.upstream = upstream
            self.keyPath0 = keyPath0
            self.keyPath1 = keyPath1
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            let (keyPath0, keyPath1) = (self.keyPath0, self.keyPath1)
            let children: [Mirror.Child] = [("keyPath0", keyPath0), ("keyPath1", keyPath1)]
            upstream.subscribe(
                KeyPathStage("ValueForKeys", children, AnySubscriber(subscriber)) {
                    ($0[keyPath: keyPath0], $0[keyPath: keyPath1])
                })
        }
    }

    /// What `map` with three key paths returns.
    public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: Publisher {
        public typealias Output = (Output0, Output1, Output2)
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let keyPath0: KeyPath<Upstream.Output, Output0>
        public let keyPath1: KeyPath<Upstream.Output, Output1>
        public let keyPath2: KeyPath<Upstream.Output, Output2>

        @inlinable
        init(
            upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>,
            keyPath1: KeyPath<Upstream.Output, Output1>, keyPath2: KeyPath<Upstream.Output, Output2>
        ) {
            self.upstream = upstream
            self.keyPath0 = keyPath0
            self.keyPath1 = keyPath1
            self.keyPath2 = keyPath2
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            let (keyPath0, keyPath1, keyPath2) = (self.keyPath0, self.keyPath1, self.keyPath2)
            let children: [Mirror.Child] = [("keyPath0", keyPath0), ("keyPath1", keyPath1), ("keyPath2", keyPath2)]
            upstream.subscribe(
                KeyPathStage("ValueForKeys", children, AnySubscriber(subscriber)) {
                    ($0[keyPath: keyPath0], $0[keyPath: keyPath1], $0[keyPath: keyPath2])
                })
        }
    }
}

/// The stage of all of them.
@usableFromInline
struct KeyPathStage<Input, Downstream: Subscriber>: PassThrough {
    @usableFromInline let description: String
    @usableFromInline let mirrorChildren: [Mirror.Child]
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: (Input) -> Downstream.Input
    @usableFromInline let combineIdentifier = CombineIdentifier()

    @inlinable
    init(
        _ description: String, _ mirrorChildren: [Mirror.Child], _ downstream: Downstream,
        transform: @escaping (Input) -> Downstream.Input
    ) {
        self.description = description
        self.mirrorChildren = mirrorChildren
        self.downstream = downstream
        self.transform = transform
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(transform(input)) }
}
