extension Publisher {
    /// Collects all values, and sends them at the end.
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

        public init(upstream: Upstream) {
            self.upstream = upstream

        }

        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            upstream.subscribe(FoldStage(Step(), downstream: subscriber))
        }

        private struct Step: Fold {
            typealias UpstreamFailure = Upstream.Failure
            typealias Failure = Upstream.Failure

            var values: [Upstream.Output] = []

            static var name: String { "Collect" }

            var result: [Upstream.Output]? { values }

            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                values.append(input)
                return .goOn
            }
        }
    }
}

extension Publishers.Collect: Equatable where Upstream: Equatable {}
