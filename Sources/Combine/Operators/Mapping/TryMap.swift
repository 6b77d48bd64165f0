extension Publisher {
    /// Turns each value into another, and fails with what that throws.
    @inlinable
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

        @inlinable
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, S.Failure == any Error {
            upstream.subscribe(
                ValueStepStage(
                    Step(transform: transform), downstream: AnySubscriber(subscriber), showsDownstream: false))
        }

        @usableFromInline
        struct Step: ValueStep {
            @usableFromInline let transform: (Upstream.Output) throws -> Output

            @inlinable
            init(transform: @escaping (Upstream.Output) throws -> Output) {
                self.transform = transform
            }

            @inlinable
            var name: String { "TryMap" }

            @inlinable
            static var isFilter: Bool { false }

            @inlinable
            static var passesAlways: Bool { true }

            @inlinable
            static var failsAlways: Bool { true }

            @inlinable
            func step(_ input: Upstream.Output) throws -> StepResult<Output> {
                .pass(try transform(input))
            }
        }
    }
}

extension Publishers.TryMap {
    /// Two maps in a row are one.
    @inlinable
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.TryMap<Upstream, T> {
        let first = self.transform
        return .init(upstream: upstream) { transform(try first($0)) }
    }

    /// Two maps in a row are one.
    @inlinable
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
        let first = self.transform
        return .init(upstream: upstream) { try transform(first($0)) }
    }
}
