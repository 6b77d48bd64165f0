extension Publisher where Output: Equatable {
    /// Sends whether there is such a value, as soon as that is known.
    @inlinable
    public func contains(_ output: Output) -> Publishers.Contains<Self> {
        .init(upstream: self, output: output)
    }
}

extension Publishers {
    /// What `contains` is.
    public struct Contains<Upstream: Publisher>: Publisher where Upstream.Output: Equatable {
        public typealias Output = Bool
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let output: Upstream.Output

        @inlinable
        public init(upstream: Upstream, output: Upstream.Output) {
            self.upstream = upstream
            self.output = output
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            let output = self.output
            let step = MatchStep<Upstream, Failure>("Contains", initial: false) { $0 == output }
            upstream.subscribe(FoldStage(step, downstream: AnySubscriber(subscriber)))
        }
    }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}
