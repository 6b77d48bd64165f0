extension Publisher {
    // Disfavored for the same reason as `map`.
    /// Turns each value into another, and leaves out those that become nil.
    @_disfavoredOverload
    @inlinable
    public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
        .init(upstream: self, transform: transform)
    }
}

extension Publishers {
    /// What `compactMap` returns.
    public struct CompactMap<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let transform: (Upstream.Output) -> Output?

        @inlinable
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            upstream.subscribe(Inner(downstream: AnySubscriber(subscriber), transform: transform))
        }

        @usableFromInline
        struct Inner<Downstream: Subscriber>: PassThrough
        where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let transform: (Upstream.Output) -> Output?
            @usableFromInline let combineIdentifier = CombineIdentifier()

            @inlinable
            init(downstream: Downstream, transform: @escaping (Upstream.Output) -> Output?) {
                self.downstream = downstream
                self.transform = transform
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                transform(input).map(downstream.receive) ?? .max(1)
            }

            @usableFromInline
            var description: String { "CompactMap" }
        }
    }
}

extension Publishers.CompactMap {
    /// Two in a row are one.
    @inlinable
    public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Upstream, T> {
        let first = self.transform
        return .init(upstream: upstream) { first($0).flatMap(transform) }
    }

    /// What is mapped after it has been left out or not needs no stage of its own.
    @inlinable
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
        let first = self.transform
        return .init(upstream: upstream) { first($0).map(transform) }
    }
}
