extension Publisher {
    /// Sends the first value, and ends.
    @inlinable
    public func first() -> Publishers.First<Self> {
        .init(upstream: self)
    }
}

extension Publishers {
    /// What `first` is.
    public struct First<Upstream: Publisher>: Publisher {
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
            typealias UpstreamFailure = Upstream.Failure
            @usableFromInline
            typealias Failure = Upstream.Failure

            @usableFromInline var result: Upstream.Output?

            @inlinable
            init() {}

            @inlinable
            static var name: String { "First" }

            @inlinable
            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                result = input
                return .finish
            }
        }
    }
}

extension Publishers.First: Equatable where Upstream: Equatable {}
