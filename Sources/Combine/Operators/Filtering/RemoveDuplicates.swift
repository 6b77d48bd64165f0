extension Publisher {
    /// Leaves out each value that equals the one before it, by the closure's standard.
    public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool) -> Publishers.RemoveDuplicates<Self>
    {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `removeDuplicates` returns.
    public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let predicate: (Upstream.Output, Upstream.Output) -> Bool

        public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            upstream.subscribe(SieveStage(Step(predicate: predicate), downstream: subscriber))
        }

        private struct Step: Sieve {
            typealias UpstreamFailure = Upstream.Failure
            typealias Failure = Upstream.Failure

            let predicate: (Upstream.Output, Upstream.Output) -> Bool
            var last: Upstream.Output?

            static var name: String { "RemoveDuplicates" }

            mutating func sift(_ input: Upstream.Output) -> Sifted<Output, Failure> {
                defer { last = input }
                if let last, predicate(last, input) { return .skip }
                return .pass(input)
            }
        }
    }
}

extension Publisher where Output: Equatable {
    /// Leaves out each value that equals the one before it.
    public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
        removeDuplicates(by: ==)
    }
}
