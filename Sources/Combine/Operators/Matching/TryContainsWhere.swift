extension Publisher {
    /// Sends whether the closure accepts a value; fails with what it throws.
    public func tryContains(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryContainsWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `tryContainsWhere` is.
    public struct TryContainsWhere<Upstream: Publisher>: Publisher {
        public typealias Output = Bool
        public typealias Failure = any Error

        public let upstream: Upstream
        public let predicate: (Upstream.Output) throws -> Bool

        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            upstream.subscribe(FoldStage(Step(predicate: predicate), downstream: subscriber))
        }

        private struct Step: Fold {
            typealias UpstreamFailure = Upstream.Failure
            typealias Failure = any Error

            let predicate: (Upstream.Output) throws -> Bool
            var found = false

            static var name: String { "TryContainsWhere" }

            var result: Bool? { found }

            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                Folded {
                    guard try predicate(input) else { return .goOn }
                    found = true
                    return .finish
                }
            }
        }
    }
}
