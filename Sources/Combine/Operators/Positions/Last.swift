extension Publisher {
    /// Sends the last value, once it is known to be the last.
    @inlinable
    public func last() -> Publishers.Last<Self> {
        .init(upstream: self)
    }
}

extension Publishers {
    /// What `last` is.
    public struct Last<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
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

            @usableFromInline var result: Upstream.Output?

            @inlinable
            init() {}

            @inlinable
            var name: String { "Last" }

            @inlinable
            mutating func fold(_ input: Upstream.Output) -> Folded {
                result = input
                return .goOn
            }
        }
    }
}

extension Publishers.Last: Equatable where Upstream: Equatable {}
