extension Publisher {
    /// Sends the first value that the closure accepts, and ends.
    @inlinable
    public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `firstWhere` is.
    public struct FirstWhere<Upstream: Publisher>: Publisher {
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
            static var name: String { "TryFirst" }

            @inlinable
            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                guard predicate(input) else { return .goOn }
                result = input
                return .finish
            }
        }
    }
}
