extension Publisher {
    // Disfavored, so that a chain of maps on a publisher with a map of its own takes that one and is not ambiguous.
    /// Turns each value into another.
    @_disfavoredOverload
    @inlinable
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
        .init(upstream: self, transform: transform)
    }

    /// Turns nil into this value.
    @inlinable
    public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
        map { $0 ?? output }
    }
}

extension Publishers {
    /// What `map` returns.
    public struct Map<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let transform: (Upstream.Output) -> Output

        @inlinable
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Upstream.Failure == S.Failure {
            upstream.subscribe(Inner(downstream: AnySubscriber(subscriber), transform: transform))
        }

        @usableFromInline
        struct Inner<Downstream: Subscriber>: PassThrough
        where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let transform: (Upstream.Output) -> Output
            @usableFromInline let combineIdentifier = CombineIdentifier()

            @inlinable
            init(downstream: Downstream, transform: @escaping (Upstream.Output) -> Output) {
                self.downstream = downstream
                self.transform = transform
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand { downstream.receive(transform(input)) }

            @usableFromInline
            var description: String { "Map" }
        }
    }
}

extension Publishers.Map {
    /// Two maps in a row are one.
    @inlinable
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Upstream, T> {
        let first = self.transform
        return .init(upstream: upstream) { transform(first($0)) }
    }

    /// A map and one that may throw are one that may throw.
    @inlinable
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
        let first = self.transform
        return .init(upstream: upstream) { try transform(first($0)) }
    }
}
