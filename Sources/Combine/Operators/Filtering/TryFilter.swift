extension Publisher {
    /// Passes the values that the closure accepts, and fails with what it throws.
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
        .init(upstream: self, isIncluded: isIncluded)
    }
}

extension Publishers {
    /// What `tryFilter` returns.
    public struct TryFilter<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = any Error

        public let upstream: Upstream
        public let isIncluded: (Upstream.Output) throws -> Bool

        public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            upstream.subscribe(SieveStage(Step(isIncluded: isIncluded), downstream: subscriber))
        }

        private struct Step: Sieve {
            typealias UpstreamFailure = Upstream.Failure
            typealias Failure = any Error

            let isIncluded: (Upstream.Output) throws -> Bool

            static var name: String { "TryFilter" }

            func sift(_ input: Upstream.Output) -> Sifted<Output, Failure> {
                Sifted { try isIncluded(input) ? .pass(input) : .skip }
            }
        }
    }
}

extension Publishers.TryFilter {
    /// Two filters in a row are one.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
        let first = self.isIncluded
        return .init(upstream: upstream) { try first($0) && isIncluded($0) }
    }

    /// Two filters in a row are one.
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
        let first = self.isIncluded
        return .init(upstream: upstream) { try first($0) && isIncluded($0) }
    }
}
