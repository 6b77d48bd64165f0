extension Publisher {
    /// Counts the values, and sends their number at the end.
    @inlinable
    public func count() -> Publishers.Count<Self> {
        .init(upstream: self)
    }
}

extension Publishers {
    /// What `count` is.
    public struct Count<Upstream: Publisher>: Publisher {
        public typealias Output = Int
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream

        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            upstream.subscribe(FoldStage(Step(), downstream: AnySubscriber(subscriber)))
        }

        @usableFromInline
        struct Step: Fold {
            @usableFromInline
            typealias Failure = Upstream.Failure

            @usableFromInline var count = 0

            @inlinable
            init() {}

            @inlinable
            var name: String { "Count" }

            @inlinable
            var result: Int? { count }

            @inlinable
            mutating func fold(_ input: Upstream.Output) -> Folded {
                count += 1
                return .goOn
            }
        }
    }
}

extension Publishers.Count: Equatable where Upstream: Equatable {}
