extension Publisher {
    /// Passes values until one is refused, and ends there.
    public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `prefix` returns.
    public struct PrefixWhile<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let predicate: (Upstream.Output) -> Bool

        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            upstream.subscribe(SieveStage(Step(predicate: predicate), downstream: subscriber))
        }

        private struct Step: Sieve {
            typealias UpstreamFailure = Upstream.Failure
            typealias Failure = Upstream.Failure

            let predicate: (Upstream.Output) -> Bool

            static var name: String { "PrefixWhile" }

            func sift(_ input: Upstream.Output) -> Sifted<Output, Failure> {
                predicate(input) ? .pass(input) : .finish
            }
        }
    }
}
