extension Publisher where Output: Equatable {
    /// Sends whether there is such a value, as soon as that is known.
    public func contains(_ output: Output) -> Publishers.Contains<Self> {
        .init(upstream: self, output: output)
    }
}

extension Publishers {
    /// What `contains` is.
    public struct Contains<Upstream: Publisher>: Publisher where Upstream.Output: Equatable {
        public typealias Output = Bool
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let output: Upstream.Output

        public init(upstream: Upstream, output: Upstream.Output) {
            self.upstream = upstream
            self.output = output
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            upstream.subscribe(FoldStage(Step(output: output), downstream: subscriber))
        }

        private struct Step: Fold {
            typealias UpstreamFailure = Upstream.Failure
            typealias Failure = Upstream.Failure

            let output: Upstream.Output
            var found = false

            static var name: String { "Contains" }

            var result: Bool? { found }

            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                guard input == output else { return .goOn }
                found = true
                return .finish
            }
        }
    }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}
