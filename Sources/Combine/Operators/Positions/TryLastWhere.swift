extension Publisher {
    /// Sends the last value that the closure accepts; fails with what it throws.
    public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `tryLastWhere` is.
    public struct TryLastWhere<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
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
            var result: Upstream.Output?

            static var name: String { "TryLastWhere" }

            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                Folded {
                    if try predicate(input) { result = input }
                    return .goOn
                }
            }
        }
    }
}
