extension Publisher {
    /// Collects all values, and sends them at the end.
    @inlinable
    public func collect() -> Publishers.Collect<Self> {
        .init(upstream: self)
    }
}

extension Publishers {
    /// What `collect` is.
    public struct Collect<Upstream: Publisher>: Publisher {
        public typealias Output = [Upstream.Output]
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

            @usableFromInline var values: [Upstream.Output] = []

            @inlinable
            init() {}

            @inlinable
            var name: String { "Collect" }

            @inlinable
            var children: [Mirror.Child]? { [("count", values.count)] }

            @inlinable
            var result: [Upstream.Output]? { values }

            @inlinable
            mutating func fold(_ input: Upstream.Output) -> Folded {
                values.append(input)
                return .goOn
            }
        }
    }
}

extension Publishers.Collect: Equatable where Upstream: Equatable {}
