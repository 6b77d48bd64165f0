extension Publisher {
    /// Passes the values that the closure accepts, and fails with what it throws.
    @inlinable
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

        @inlinable
        public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            upstream.subscribe(ValueStepStage(Step(isIncluded: isIncluded), downstream: AnySubscriber(subscriber)))
        }

        @usableFromInline
        struct Step: ValueStep {
            @usableFromInline let isIncluded: (Upstream.Output) throws -> Bool

            @inlinable
            init(isIncluded: @escaping (Upstream.Output) throws -> Bool) {
                self.isIncluded = isIncluded
            }

            @inlinable
            var name: String { "TryFilter" }

            @inlinable
            func step(_ input: Upstream.Output) throws -> StepResult<Output> {
                try isIncluded(input) ? .pass(input) : .skip
            }
        }
    }
}

extension Publishers.TryFilter {
    /// Two filters in a row are one.
    @inlinable
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
        let first = self.isIncluded
        return .init(upstream: upstream) { try first($0) && isIncluded($0) }
    }

    /// Two filters in a row are one.
    @inlinable
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
        let first = self.isIncluded
        return .init(upstream: upstream) { try first($0) && isIncluded($0) }
    }
}
