extension Publisher {
    /// Sends the first value, and ends.
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

        public init(upstream: Upstream) {
            self.upstream = upstream

        }

        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            upstream.subscribe(FoldStage(Step(), downstream: subscriber))
        }

        private struct Step: Fold {
            typealias UpstreamFailure = Upstream.Failure
            typealias Failure = Upstream.Failure

            var result: Upstream.Output?

            static var name: String { "First" }

            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                result = input
                return .finish
            }
        }
    }
}

extension Publishers.First: Equatable where Upstream: Equatable {}
