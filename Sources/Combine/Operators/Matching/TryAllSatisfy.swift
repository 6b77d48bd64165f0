extension Publisher {
    /// Sends whether the closure accepts every value; fails with what it throws.
    public func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool) -> Publishers.TryAllSatisfy<Self> {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `tryAllSatisfy` is.
    public struct TryAllSatisfy<Upstream: Publisher>: Publisher {
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
            var accepted = true

            static var name: String { "TryAllSatisfy" }

            var result: Bool? { accepted }

            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                Folded {
                    guard try !predicate(input) else { return .goOn }
                    accepted = false
                    return .finish
                }
            }
        }
    }
}
