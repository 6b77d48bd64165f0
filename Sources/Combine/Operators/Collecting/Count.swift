extension Publisher {
    /// Counts the values, and sends their number at the end.
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

        public init(upstream: Upstream) {
            self.upstream = upstream

        }

        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            upstream.subscribe(FoldStage(Step(), downstream: subscriber))
        }

        private struct Step: Fold {
            typealias UpstreamFailure = Upstream.Failure
            typealias Failure = Upstream.Failure

            var count = 0

            static var name: String { "Count" }

            var result: Int? { count }

            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                count += 1
                return .goOn
            }
        }
    }
}

extension Publishers.Count: Equatable where Upstream: Equatable {}
