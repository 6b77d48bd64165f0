extension Publisher {
    /// Turns each value into another, and leaves out those that become nil.
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

        public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            upstream.subscribe(Inner(downstream: subscriber, transform: transform))
        }

        private struct Inner<Downstream: Subscriber>: PassThrough
        where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
            typealias Failure = Upstream.Failure

            let downstream: Downstream
            let transform: (Upstream.Output) -> Output?
            let combineIdentifier = CombineIdentifier()

            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                transform(input).map(downstream.receive) ?? .max(1)
            }

            var description: String { "CompactMap" }
        }
    }
}

extension Publishers.CompactMap {
    /// Two in a row are one.
    public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Upstream, T> {
        let first = self.transform
        return .init(upstream: upstream) { first($0).flatMap(transform) }
    }

    /// What is mapped after it has been left out or not needs no stage of its own.
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
        let first = self.transform
        return .init(upstream: upstream) { first($0).map(transform) }
    }
}
