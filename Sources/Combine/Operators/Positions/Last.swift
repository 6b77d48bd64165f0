extension Publisher {
    /// Sends the last value, once it is known to be the last.
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

            static var name: String { "Last" }

            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                result = input
                return .goOn
            }
        }
    }
}

extension Publishers.Last: Equatable where Upstream: Equatable {}
