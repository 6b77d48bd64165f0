import Synchronization

/// The stage of `catch` and `tryCatch`. As in Apple's, values pass at any time, also after the end.
@usableFromInline
final class CatchStage<Downstream: Subscriber, CaughtFailure: Error, Replacement: Publisher>: Subscription,
    StageDescription
where Downstream.Input == Replacement.Output {
    /// What becomes of the first publisher's failure.
    @usableFromInline
    enum Handled {
        case replaced(Replacement)
        case failed(Downstream.Failure)
    }

    @usableFromInline let state = Locked(CatchStateMachine())
    @usableFromInline let name: StaticString
    @usableFromInline let downstream: Downstream
    @usableFromInline let handler: (CaughtFailure) -> Handled
    @usableFromInline let failure: (Replacement.Failure) -> Downstream.Failure
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
    func receive(_ subscription: any Subscription, from part: CatchStateMachine.Part) {
        state.withLock { $0.receive(subscription, from: part) }.perform(with: subscription) {
            downstream.receive(subscription: self)
        }
    }

    @inline(__always)
    @inlinable
    func forward(_ input: Downstream.Input) -> Subscribers.Demand {
        if isUnlimited.load(ordering: .acquiring) {
            return downstream.receive(input)
        }
        state.withLock { $0.receiveValue() }
        let more = downstream.receive(input)
        guard more > .none else { return .none }
        guard let counted = state.withLock({ $0.add(more) }) else {
            request(more)
            return .none
        }
        if counted == .unlimited {
            isUnlimited.store(true, ordering: .releasing)
        }
        return more
    }

    @inlinable
    func end(_ part: CatchStateMachine.Part, _ completion: Subscribers.Completion<Downstream.Failure>) {
        guard state.withLock({ $0.end(part) }) != nil else { return }
        downstream.receive(completion: completion)
    }

    @inlinable
    func fail(_ error: CaughtFailure) {
        guard state.withLock({ $0.fail() }) != nil else { return }
        switch handler(error) {
        case .replaced(let replacement):
            if state.withLock({ $0.resume(withSecond: true) }) {
                replacement.subscribe(Second(stage: self))
            }
        case .failed(let error):
            if state.withLock({ $0.resume(withSecond: false) }) {
                downstream.receive(completion: .failure(error))
            }
        }
    }

    /// Not inlined, as a value seldom leads to this call.
    @inline(never)
    @inlinable
    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let (subscription, counted) = state.withLock { ($0.request(demand), $0.demand) }
        if counted == .unlimited {
            isUnlimited.store(true, ordering: .releasing)
        }
        subscription?.request(demand)
    }

    @inlinable
    func cancel() {
        state.withLock { $0.cancel() }?.cancel()
    }

    @usableFromInline
    var description: String { String(describing: name) }

    @usableFromInline
    var mirrorChildren: [Mirror.Child] { [("downstream", downstream), ("demand", state.withLock { $0.demand })] }

    /// Subscribes to the publisher that may fail.
    @usableFromInline
    struct First: StagePart {
        @usableFromInline
        typealias Failure = CaughtFailure

        @usableFromInline let stage: CatchStage

        @inlinable
        init(stage: CatchStage) {
            self.stage = stage
        }

        @inlinable
        func receive(subscription: any Subscription) { stage.receive(subscription, from: .first) }

        @inlinable
        func receive(_ input: Downstream.Input) -> Subscribers.Demand { stage.forward(input) }

        @inlinable
        func receive(completion: Subscribers.Completion<CaughtFailure>) {
            switch completion {
            case .finished: stage.end(.first, .finished)
            case .failure(let error): stage.fail(error)
            }
        }
    }

    /// Subscribes to the publisher that takes the place of the first.
    @usableFromInline
    struct Second: StagePart {
        @usableFromInline let stage: CatchStage

        @inlinable
        init(stage: CatchStage) {
            self.stage = stage
        }

        @inlinable
        func receive(subscription: any Subscription) { stage.receive(subscription, from: .second) }

        @inlinable
        func receive(_ input: Downstream.Input) -> Subscribers.Demand { stage.downstream.receive(input) }

        @inlinable
        func receive(completion: Subscribers.Completion<Replacement.Failure>) {
            stage.end(.second, completion.mapError(stage.failure))
        }
    }
}
