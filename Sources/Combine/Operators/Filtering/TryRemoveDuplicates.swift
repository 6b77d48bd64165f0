extension Publisher {
    /// Leaves out each value that equals the one before it, and fails with what the closure throws.
    @inlinable
    public func tryRemoveDuplicates(by predicate: @escaping (Output, Output) throws -> Bool)
        -> Publishers.TryRemoveDuplicates<Self>
    {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `tryRemoveDuplicates` returns.
    public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = any Error

        public let upstream: Upstream
        public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        @inlinable
        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            upstream.subscribe(ValueStepStage(Step(predicate: predicate), downstream: AnySubscriber(subscriber)))
        }

        @usableFromInline
        struct Step: ValueStep {
            @usableFromInline
            typealias UpstreamFailure = Upstream.Failure
            @usableFromInline
            typealias Failure = any Error

            @usableFromInline let predicate: (Upstream.Output, Upstream.Output) throws -> Bool
            @usableFromInline var last: Upstream.Output?

            @inlinable
            init(predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            static var name: String { "TryRemoveDuplicates" }

            @inlinable
            func children(status: String) -> [Mirror.Child] { [("last", last as Any)] }

            @inlinable
            mutating func step(_ input: Upstream.Output) -> StepResult<Output, Failure> {
                StepResult {
                    defer { last = input }
                    if let last, try predicate(last, input) { return .skip }
                    return .pass(input)
                }
            }
        }
    }
}
