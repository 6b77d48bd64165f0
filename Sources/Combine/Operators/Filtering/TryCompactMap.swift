extension Publisher {
    /// Turns each value into another, leaves out those that become nil, and fails with what is thrown.
    @inlinable
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

        @inlinable
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            upstream.subscribe(ValueStepStage(Step(transform: transform), downstream: AnySubscriber(subscriber)))
        }

        @usableFromInline
        struct Step: ValueStep {
            @usableFromInline let transform: (Upstream.Output) throws -> Output?

            @inlinable
            init(transform: @escaping (Upstream.Output) throws -> Output?) {
                self.transform = transform
            }

            @inlinable
            var name: String { "TryCompactMap" }

            @inlinable
            func step(_ input: Upstream.Output) throws -> StepResult<Output> {
                try transform(input).map { .pass($0) } ?? .skip
            }
        }
    }
}

extension Publishers.TryCompactMap {
    /// Two in a row are one.
    @inlinable
    public func compactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Upstream, T> {
        let first = self.transform
        return .init(upstream: upstream) { try first($0).flatMap(transform) }
    }
}
