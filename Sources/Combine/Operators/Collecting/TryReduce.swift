extension Publisher {
    /// Makes one value of all, sends it at the end, and fails with what the closure throws.
    @inlinable
    public func tryReduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
    ) -> Publishers.TryReduce<Self, T> {
        .init(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }
}

extension Publishers {
    /// What `tryReduce` is.
    public struct TryReduce<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = any Error

        public let upstream: Upstream
        public let initial: Output
        public let nextPartialResult: (Output, Upstream.Output) throws -> Output

        @inlinable
        public init(
            upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
        ) {
            self.upstream = upstream
            self.initial = initial
            self.nextPartialResult = nextPartialResult
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            upstream.subscribe(
                FoldStage(
                    Step(initial: initial, nextPartialResult: nextPartialResult), downstream: AnySubscriber(subscriber))
            )
        }

        @usableFromInline
        struct Step: Fold {
            @usableFromInline
            typealias UpstreamFailure = Upstream.Failure
            @usableFromInline
            typealias Failure = any Error

            @usableFromInline let initial: Output
            @usableFromInline let nextPartialResult: (Output, Upstream.Output) throws -> Output
            @usableFromInline var partial: Output?

            @inlinable
            init(initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output) {
                self.initial = initial
                self.nextPartialResult = nextPartialResult
            }

            @inlinable
            static var name: String { "TryReduce" }

            @inlinable
            var result: Output? { partial ?? initial }

            @inlinable
            mutating func fold(_ input: Upstream.Output) -> Folded<Failure> {
                Folded {
                    partial = try nextPartialResult(partial ?? initial, input)
                    return .goOn
                }
            }
        }
    }
}
