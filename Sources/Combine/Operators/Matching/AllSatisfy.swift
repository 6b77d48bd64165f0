extension Publisher {
    /// Sends whether the closure accepts every value, as soon as that is known.
    @inlinable
    public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `allSatisfy` is.
    public struct AllSatisfy<Upstream: Publisher>: Publisher {
        public typealias Output = Bool
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
            @usableFromInline var accepted = true

            @inlinable
            init(predicate: @escaping (Upstream.Output) -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            static var name: String { "AllSatisfy" }

            @inlinable
            var result: Bool? { accepted }

            @inlinable
            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                guard !predicate(input) else { return .goOn }
                accepted = false
                return .finish
            }
        }
    }
}
