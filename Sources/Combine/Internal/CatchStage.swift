import Synchronization

/// The stage of `catch` and `tryCatch`. It counts what downstream asked for and has not got, so that the second
/// publisher is asked for exactly that. As in Apple's, values pass at any time, also after the end, and to cancel while
/// the second publisher has not given its subscription does nothing.
@usableFromInline
final class CatchStage<Downstream: Subscriber, CaughtFailure: Error, Replacement: Publisher>: Subscription,
    StageDescription
where Downstream.Input == Replacement.Output {
    @usableFromInline
    enum Phase {
        case awaitingFirst
        case first(any Subscription)
        case awaitingSecond
        case second(any Subscription)
        case over
    }

    /// What becomes of the first publisher's failure.
    @usableFromInline
    enum Handled {
        case replaced(Replacement)
        case failed(Downstream.Failure)
    }

    @usableFromInline let lock = Lock()
    @usableFromInline let name: StaticString
    @usableFromInline let downstream: Downstream
    @usableFromInline let handler: (CaughtFailure) -> Handled
    @usableFromInline let failure: (Replacement.Failure) -> Downstream.Failure
    // Both are guarded by the lock, so that they need not be checked for overlapping access as well.
    @usableFromInline @exclusivity(unchecked) var phase = Phase.awaitingFirst
    @usableFromInline @exclusivity(unchecked) var demand = Subscribers.Demand.none
    /// Whether there is no more to be counted, so that values need no lock.
    @usableFromInline let isUnlimited = Atomic<Bool>(false)

    @inlinable
    init(
        downstream: Downstream, name: StaticString, failure: @escaping (Replacement.Failure) -> Downstream.Failure,
        handler: @escaping (CaughtFailure) -> Handled
    ) {
        self.downstream = downstream
        self.name = name
        self.handler = handler
        self.failure = failure
    }

    @inlinable
    func receiveFirst(_ subscription: any Subscription) {
        lock.lock()
        guard case .awaitingFirst = phase else {
            lock.unlock()
            subscription.cancel()
            return
        }
        phase = .first(subscription)
        lock.unlock()
        downstream.receive(subscription: self)
    }

    @inlinable
    func receiveSecond(_ subscription: any Subscription) {
        lock.lock()
        guard case .awaitingSecond = phase else {
            lock.unlock()
            subscription.cancel()
            return
        }
        phase = .second(subscription)
        let demand = self.demand
        lock.unlock()
        if demand > .none {
            subscription.request(demand)
        }
    }

    @inline(__always)
    @inlinable
    func forward(_ input: Downstream.Input) -> Subscribers.Demand {
        if isUnlimited.load(ordering: .acquiring) {
            return downstream.receive(input)
        }
        lock.lock()
        if demand == .none {
            misuse("A publisher must not send more values than it was asked for.")
        }
        demand -= 1
        lock.unlock()
        let more = downstream.receive(input)
        if more > .none {
            lock.lock()
            add(more)
            lock.unlock()
        }
        return more
    }

    /// With the lock.
    @inlinable
    func add(_ more: Subscribers.Demand) {
        demand += more
        if demand == .unlimited {
            isUnlimited.store(true, ordering: .releasing)
        }
    }

    @inlinable
    func receiveFirst(_ completion: Subscribers.Completion<CaughtFailure>) {
        switch completion {
        case .finished:
            lock.lock()
            guard case .first = phase else {
                lock.unlock()
                return
            }
            phase = .over
            lock.unlock()
            downstream.receive(completion: .finished)
        case .failure(let error):
            lock.lock()
            switch phase {
            case .first:
                phase = .awaitingSecond
                lock.unlock()
            case .awaitingSecond, .second:
                misuse("A publisher must not fail twice.")
            case .awaitingFirst, .over:
                lock.unlock()
                return
            }
            switch handler(error) {
            case .replaced(let replacement):
                replacement.subscribe(Second(stage: self))
            case .failed(let error):
                lock.lock()
                phase = .over
                lock.unlock()
                downstream.receive(completion: .failure(error))
            }
        }
    }

    @inlinable
    func receiveSecond(_ completion: Subscribers.Completion<Replacement.Failure>) {
        lock.lock()
        guard case .second = phase else {
            lock.unlock()
            return
        }
        phase = .over
        lock.unlock()
        downstream.receive(completion: completion.mapError(failure))
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        lock.lock()
        switch phase {
        case .awaitingFirst, .awaitingSecond:
            add(demand)
            lock.unlock()
        case .first(let subscription), .second(let subscription):
            add(demand)
            lock.unlock()
            subscription.request(demand)
        case .over:
            lock.unlock()
        }
    }

    @inlinable
    func cancel() {
        lock.lock()
        let previous = phase
        if case .awaitingSecond = previous {
            lock.unlock()
            return
        }
        phase = .over
        lock.unlock()
        switch previous {
        case .first(let subscription), .second(let subscription): subscription.cancel()
        case .awaitingFirst, .awaitingSecond, .over: break
        }
    }

    @usableFromInline
    var description: String { String(describing: name) }

    @usableFromInline
    var mirrorChildren: [Mirror.Child] { [("downstream", downstream), ("demand", lock { demand })] }

    /// Subscribes to the publisher that may fail.
    @usableFromInline
    struct First: Subscriber, StageDescription {
        @usableFromInline
        typealias Failure = CaughtFailure

        @usableFromInline let stage: CatchStage

        @inlinable
        init(stage: CatchStage) {
            self.stage = stage
        }

        @inlinable
        var combineIdentifier: CombineIdentifier { stage.combineIdentifier }

        @inlinable
        func receive(subscription: any Subscription) { stage.receiveFirst(subscription) }

        @inlinable
        func receive(_ input: Downstream.Input) -> Subscribers.Demand { stage.forward(input) }

        @inlinable
        func receive(completion: Subscribers.Completion<CaughtFailure>) { stage.receiveFirst(completion) }

        @usableFromInline
        var description: String { stage.description }

        @usableFromInline
        var customMirror: Mirror { stage.customMirror }
    }

    /// Subscribes to the publisher that takes the place of the first.
    @usableFromInline
    struct Second: Subscriber, StageDescription {
        @usableFromInline let stage: CatchStage

        @inlinable
        init(stage: CatchStage) {
            self.stage = stage
        }

        @inlinable
        var combineIdentifier: CombineIdentifier { stage.combineIdentifier }

        @inlinable
        func receive(subscription: any Subscription) { stage.receiveSecond(subscription) }

        @inlinable
        func receive(_ input: Downstream.Input) -> Subscribers.Demand { stage.downstream.receive(input) }

        @inlinable
        func receive(completion: Subscribers.Completion<Replacement.Failure>) { stage.receiveSecond(completion) }

        @usableFromInline
        var description: String { stage.description }

        @usableFromInline
        var customMirror: Mirror { stage.customMirror }
    }
}
