extension Publisher {
    /// Sends whether the closure accepts a value, as soon as that is known.
    public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `containsWhere` is.
    public struct ContainsWhere<Upstream: Publisher>: Publisher {
        public typealias Output = Bool
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let predicate: (Upstream.Output) -> Bool

        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            upstream.subscribe(FoldStage(Step(predicate: predicate), downstream: subscriber))
        }

        private struct Step: Fold {
            typealias UpstreamFailure = Upstream.Failure
            typealias Failure = Upstream.Failure

            let predicate: (Upstream.Output) -> Bool
            var found = false

            static var name: String { "ContainsWhere" }

            var result: Bool? { found }

            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                guard predicate(input) else { return .goOn }
                found = true
                return .finish
            }
        }
    }
}
