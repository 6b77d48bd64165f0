extension Publisher {
    /// Turns each value into another, and fails with what that throws.
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
        .init(upstream: self, transform: transform)
    }
}

extension Publishers {
    /// What `tryMap` returns.
    public struct TryMap<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = any Error

        public let upstream: Upstream
        public let transform: (Upstream.Output) throws -> Output

        public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, S.Failure == any Error {
            upstream.subscribe(
                SieveStage(Step(transform: transform), downstream: subscriber, showsDownstream: false))
        }

        private struct Step: Sieve {
            typealias Failure = any Error
            typealias UpstreamFailure = Upstream.Failure

            let transform: (Upstream.Output) throws -> Output

            static var name: String { "TryMap" }

            func sift(_ input: Upstream.Output) -> Sifted<Output, any Error> {
                Sifted { .pass(try transform(input)) }
            }
        }
    }
}

extension Publishers.TryMap {
    /// Two maps in a row are one.
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.TryMap<Upstream, T> {
        let first = self.transform
        return .init(upstream: upstream) { transform(try first($0)) }
    }

    /// Two maps in a row are one.
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
        let first = self.transform
        return .init(upstream: upstream) { try transform(first($0)) }
    }
}
