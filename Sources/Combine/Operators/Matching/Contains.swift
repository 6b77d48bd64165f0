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
            upstream.subscribe(FoldStage(Step(output: output), downstream: AnySubscriber(subscriber)))
        }

        @usableFromInline
        struct Step: Fold {
            @usableFromInline
            typealias UpstreamFailure = Upstream.Failure
            @usableFromInline
            typealias Failure = Upstream.Failure

            @usableFromInline let output: Upstream.Output
            @usableFromInline var found = false

            @inlinable
            init(output: Upstream.Output) {
                self.output = output
            }

            @inlinable
            static var name: String { "Contains" }

            @inlinable
            var result: Bool? { found }

            @inlinable
            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                guard input == output else { return .goOn }
                found = true
                return .finish
            }
        }
    }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}
