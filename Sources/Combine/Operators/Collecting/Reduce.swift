extension Publisher {
    /// Makes one value of all, and sends it at the end.
    @inlinable
    public func reduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
    ) -> Publishers.Reduce<Self, T> {
        .init(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }
}

extension Publishers {
    /// What `reduce` is.
    public struct Reduce<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let initial: Output
        public let nextPartialResult: (Output, Upstream.Output) -> Output

        @inlinable
        public init(
            upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
        ) {
            self.upstream = upstream
            self.initial = initial
            self.nextPartialResult = nextPartialResult
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
            let step = ReduceStep<Upstream, Output, Failure>(
                "Reduce", initial: initial, nextPartialResult: nextPartialResult)
            upstream.subscribe(FoldStage(step, downstream: AnySubscriber(subscriber)))
        }
    }
}

/// What `reduce` and its form that may throw do with each value.
@usableFromInline
struct ReduceStep<Upstream: Publisher, Output, Failure: Error>: Fold {
    @usableFromInline let name: String
    @usableFromInline let initial: Output
    @usableFromInline let nextPartialResult: (Output, Upstream.Output) throws(Failure) -> Output
    @usableFromInline var partial: Output?

    @inlinable
    init(
        _ name: String, initial: Output,
        nextPartialResult: @escaping (Output, Upstream.Output) throws(Failure) -> Output
    ) {
        self.name = name
        self.initial = initial
        self.nextPartialResult = nextPartialResult
    }

    @inlinable
    var result: Output? { partial ?? initial }

    @inlinable
    mutating func fold(_ input: Upstream.Output) throws(Failure) -> Folded {
        partial = try nextPartialResult(partial ?? initial, input)
        return .goOn
    }
}
