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
    public func append<P>(_ publisher: P) -> Publishers.Concatenate<Self, P>
    where P: Publisher, Failure == P.Failure, Output == P.Output {
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
    public func prepend<P>(_ publisher: P) -> Publishers.Concatenate<P, Self>
    where P: Publisher, Failure == P.Failure, Output == P.Output {
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

        public func receive<S>(subscriber: S)
        where S: Subscriber, Suffix.Failure == S.Failure, Suffix.Output == S.Input {
            let stage = ConcatenateStage(subscriber, suffix: suffix)
            prefix.subscribe(ConcatenateStage.Part<Prefix>(stage: stage, isSuffix: false))
        }
    }
}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

/// Counts what downstream asked for and has not got, so that the suffix is asked for exactly that.
private final class ConcatenateStage<Downstream: Subscriber, Suffix: Publisher>: Subscription, StageDescription
where Downstream.Input == Suffix.Output, Downstream.Failure == Suffix.Failure {
    private let lock = Lock()
    private let downstream: Downstream
    private var suffix: Suffix?
    private var connection = Connection.awaiting
    private var isInSuffix = false
    private var demand = Subscribers.Demand.none

    init(_ downstream: Downstream, suffix: Suffix) {
        self.downstream = downstream
        self.suffix = suffix
    }

    private func receive(subscription: any Subscription, isSuffix: Bool) {
        lock.lock()
        guard connection.isAwaiting, isInSuffix == isSuffix else {
            lock.unlock()
            subscription.cancel()
            return
        }
        connection = .connected(subscription)
        let demand = self.demand
        lock.unlock()
        if !isSuffix {
            downstream.receive(subscription: self)
        } else if demand > .none {
            subscription.request(demand)
        }
    }

    private func receive(_ input: Downstream.Input, isSuffix: Bool) -> Subscribers.Demand {
        lock.lock()
        // A value without demand is dropped.
        guard connection.isConnected, isInSuffix == isSuffix, demand > .none else {
            lock.unlock()
            return .none
        }
        demand -= 1
        lock.unlock()
        let more = downstream.receive(input)
        guard more > .none else { return .none }
        lock.lock()
        demand += more
        lock.unlock()
        return more
    }

    private func receive(completion: Subscribers.Completion<Downstream.Failure>, isSuffix: Bool) {
        lock.lock()
        guard connection.isConnected, isInSuffix == isSuffix else {
            lock.unlock()
            return
        }
        if !isSuffix, case .finished = completion, let suffix {
            let finished = connection
            connection = .awaiting
            isInSuffix = true
            self.suffix = nil
            lock.unlock()
            withExtendedLifetime(finished) {}
            suffix.subscribe(Part<Suffix?>(stage: self, isSuffix: true))
            return
        }
        let released = lockedEnd()
        lock.unlock()
        withExtendedLifetime(released) {}
        downstream.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        lock.lock()
        self.demand += demand
        let subscription = connection.subscription
        lock.unlock()
        subscription?.request(demand)
    }

    func cancel() {
        lock.lock()
        let released = lockedEnd()
        lock.unlock()
        released.connection.subscription?.cancel()
    }

    /// The caller lets go of what is returned outside of the lock.
    private func lockedEnd() -> (connection: Connection, suffix: Suffix?) {
        let released = (connection, suffix)
        connection = .ended
        suffix = nil
        return released
    }

    var description: String { "Concatenate" }

    /// Subscribes to the prefix or to the suffix: two types of subscribers with one identity.
    struct Part<Source>: Subscriber, StageDescription {
        typealias Input = Downstream.Input
        typealias Failure = Downstream.Failure

        let stage: ConcatenateStage
        let isSuffix: Bool

        var combineIdentifier: CombineIdentifier { stage.combineIdentifier }

        func receive(subscription: any Subscription) { stage.receive(subscription: subscription, isSuffix: isSuffix) }

        func receive(_ input: Input) -> Subscribers.Demand { stage.receive(input, isSuffix: isSuffix) }

        func receive(completion: Subscribers.Completion<Failure>) {
            stage.receive(completion: completion, isSuffix: isSuffix)
        }

        var description: String { stage.description }

        var customMirror: Mirror { stage.customMirror }
    }
}
