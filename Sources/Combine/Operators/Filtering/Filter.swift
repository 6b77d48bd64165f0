extension Publisher {
    /// Passes the values that the closure accepts.
    @inlinable
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
        .init(upstream: self, isIncluded: isIncluded)
    }
}

extension Publishers {
    /// What `filter` returns.
    public struct Filter<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let isIncluded: (Upstream.Output) -> Bool

        @inlinable
        public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            upstream.subscribe(Inner(downstream: AnySubscriber(subscriber), isIncluded: isIncluded))
        }

        @usableFromInline
        struct Inner<Downstream: Subscriber>: PassThrough
        where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let isIncluded: (Upstream.Output) -> Bool
            @usableFromInline let combineIdentifier = CombineIdentifier()

            @inlinable
            init(downstream: Downstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
                self.downstream = downstream
                self.isIncluded = isIncluded
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                isIncluded(input) ? downstream.receive(input) : .max(1)
            }

            @usableFromInline
            var description: String { "Filter" }
        }
    }
}

extension Publishers.Filter {
    /// Two filters in a row are one.
    @inlinable
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Upstream> {
        let first = self.isIncluded
        return .init(upstream: upstream) { first($0) && isIncluded($0) }
    }

    /// A filter and one that may throw are one that may throw.
    @inlinable
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
        let first = self.isIncluded
        return .init(upstream: upstream) { try first($0) && isIncluded($0) }
    }
}
