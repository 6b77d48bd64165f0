extension Publisher {
    /// Sends the last value that the closure accepts.
    @inlinable
    public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `lastWhere` is.
    public struct LastWhere<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let predicate: (Upstream.Output) -> Bool

        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            upstream.subscribe(FoldStage(Step(predicate: predicate), downstream: AnySubscriber(subscriber)))
        }

        @usableFromInline
        struct Step: Fold {
            @usableFromInline
            typealias UpstreamFailure = Upstream.Failure
            @usableFromInline
            typealias Failure = Upstream.Failure

            @usableFromInline let predicate: (Upstream.Output) -> Bool
            @usableFromInline var result: Upstream.Output?

            @inlinable
            init(predicate: @escaping (Upstream.Output) -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            static var name: String { "LastWhere" }

            @inlinable
            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                if predicate(input) { result = input }
                return .goOn
            }
        }
    }
}
