extension Publisher {
    /// Sends these values once this publisher has finished.
    public func append(_ elements: Output...) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
        append(elements)
    }

    /// Sends the elements of a sequence once this publisher has finished.
    public func append<S>(_ elements: S) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>>
    where S: Sequence, Output == S.Element {
        append(Publishers.Sequence(sequence: elements))
    }

    /// Sends the values of another publisher once this one has finished.
    public func append<P: Publisher<Output, Failure>>(_ publisher: P) -> Publishers.Concatenate<Self, P> {
        .init(prefix: self, suffix: publisher)
    }

    /// Sends these values before those of this publisher.
    public func prepend(_ elements: Output...) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
        prepend(elements)
    }

    /// Sends the elements of a sequence before the values of this publisher.
    public func prepend<S>(_ elements: S) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self>
    where S: Sequence, Output == S.Element {
        prepend(Publishers.Sequence(sequence: elements))
    }

    /// Sends the values of another publisher, and once it has finished, those of this one.
    public func prepend<P: Publisher<Output, Failure>>(_ publisher: P) -> Publishers.Concatenate<P, Self> {
        .init(prefix: publisher, suffix: self)
    }
}

extension Publishers {
    /// What `append` and `prepend` return: one publisher, and then another.
    public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
    where Prefix.Failure == Suffix.Failure, Prefix.Output == Suffix.Output {
        public typealias Output = Suffix.Output
        public typealias Failure = Suffix.Failure

        /// Whose values come first.
        public let prefix: Prefix
        /// Whose values come once the first has finished.
        public let suffix: Suffix

        public init(prefix: Prefix, suffix: Suffix) {
            self.prefix = prefix
            self.suffix = suffix
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            let stage = ConcatenateStage(subscriber, suffix: suffix)
            prefix.subscribe(ConcatenateStage.Part<Prefix>(stage: stage, part: .prefix))
        }
    }
}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

private final class ConcatenateStage<Downstream: Subscriber, Suffix: Publisher>: Subscription, StageDescription
where Downstream.Input == Suffix.Output, Downstream.Failure == Suffix.Failure {
    /// What is subscribed to later, as an object.
    private final class Rest {
        let suffix: Suffix

        init(_ suffix: Suffix) {
            self.suffix = suffix
        }
    }

    private let state: Locked<ConcatenateStateMachine>
    private let downstream: Downstream

    init(_ downstream: Downstream, suffix: Suffix) {
        self.downstream = downstream
        state = Locked(ConcatenateStateMachine(suffix: Rest(suffix)))
    }

    /// Not inlined, as a value seldom leads to this call.
    @inline(never)
    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.request(demand) }?.request(demand)
    }

    func cancel() {
        state.withLock { $0.cancel() }.subscription?.cancel()
    }

    var description: String { "Concatenate" }

    /// Subscribes to the prefix or to the suffix: two types of subscribers with one identity.
    struct Part<Source>: StagePart {
        let stage: ConcatenateStage
        let part: ConcatenateStateMachine.Part

        func receive(subscription: any Subscription) {
            stage.state.withLock { $0.receive(subscription, from: part) }.perform(with: subscription) {
                stage.downstream.receive(subscription: stage)
            }
        }

        func receive(_ input: Downstream.Input) -> Subscribers.Demand {
            guard stage.state.withLock({ $0.receiveValue(from: part) }) else { return .none }
            let more = stage.downstream.receive(input)
            if more == .none || stage.state.withLock({ $0.add(more, from: part) }) { return more }
            stage.request(more)
            return .none
        }

        func receive(completion: Subscribers.Completion<Downstream.Failure>) {
            let isFinished = if case .finished = completion { true } else { false }
            switch stage.state.withLock({ $0.end(part, isFinished: isFinished) }) {
            case .ignore: break
            case .subscribe(let rest, after: _):
                unsafeDowncast(rest, to: Rest.self).suffix.subscribe(Part<Suffix?>(stage: stage, part: .suffix))
            case .complete: stage.downstream.receive(completion: completion)
            }
        }
    }
}
