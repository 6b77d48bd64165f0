extension Publisher {
    /// Turns each value into another, leaves out those that become nil, and fails with what is thrown.
    public func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Self, T> {
        .init(upstream: self, transform: transform)
    }
}

extension Publishers {
    /// What `tryCompactMap` returns.
    public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = any Error

        public let upstream: Upstream
        public let transform: (Upstream.Output) throws -> Output?

        public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            upstream.subscribe(SieveStage(Step(transform: transform), downstream: subscriber))
        }

        private struct Step: Sieve {
            typealias UpstreamFailure = Upstream.Failure
            typealias Failure = any Error

            let transform: (Upstream.Output) throws -> Output?

            static var name: String { "TryCompactMap" }

            func sift(_ input: Upstream.Output) -> Sifted<Output, Failure> {
                Sifted { try transform(input).map { .pass($0) } ?? .skip }
            }
        }
    }
}

extension Publishers.TryCompactMap {
    /// Two in a row are one.
    public func compactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Upstream, T> {
        let first = self.transform
        return .init(upstream: upstream) { try first($0).flatMap(transform) }
    }
}
