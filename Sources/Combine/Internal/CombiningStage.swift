/// What a stage keeps of one upstream's values.
class Slot {
    /// How many values are in it.
    final var count = 0
    final var hasFinished = false

    /// It is empty and stays so.
    final var isExhausted: Bool { hasFinished && count == 0 }
}

/// A slot for values of this type.
class SlotOf<Value>: Slot {
    /// Takes the value, and leaves in its place the one which that replaced, if it did.
    func store(_ value: inout Value) { fatalError("Every slot stores what it is given.") }

    func removeAll() { fatalError("Every slot can be emptied.") }
}

/// A stage whose values are made of one from each upstream.
class CombiningStage<Downstream: Subscriber>: MultiUpstreamStage<Downstream> {
    final let slots: ContiguousArray<Slot>
    /// Makes a value of what is in the slots, each of which has one.
    final let combine: () -> Downstream.Input
    private final let removeAll: () -> Void
    /// Whether the last value was not seen to yet.
    final var isFresh = false

    init(
        _ downstream: Downstream, slots: ContiguousArray<Slot>, removeAll: @escaping () -> Void,
        combine: @escaping () -> Downstream.Input
    ) {
        self.slots = slots
        self.combine = combine
        self.removeAll = removeAll
        super.init(downstream, upstreams: slots.count, needsEveryUpstream: true)
    }

    override final func finish(_ upstream: Int) {
        slots[upstream].hasFinished = true
    }

    override func empty() {
        removeAll()
    }
}

/// What subscribes to one of the upstreams.
struct CombiningUpstreamSubscriber<Input, Downstream: Subscriber>: Subscriber, StageDescription {
    typealias Failure = Downstream.Failure

    private let stage: CombiningStage<Downstream>
    private let index: Int
    private let slot: SlotOf<Input>
    let combineIdentifier = CombineIdentifier()

    init(_ index: Int, of stage: CombiningStage<Downstream>, slot: SlotOf<Input>) {
        self.stage = stage
        self.index = index
        self.slot = slot
    }

    func receive(subscription: any Subscription) {
        stage.receive(subscription: subscription, at: index)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        var value = input
        stage.lock.lock()
        guard stage.accepts(index) else {
            stage.lock.unlock()
            return .none
        }
        slot.store(&value)
        stage.isFresh = true
        let returned = stage.settleAndUnlock(origin: index)
        // What the value replaced is let go of outside of the lock: it may run code when it goes.
        withExtendedLifetime(value) {}
        return returned
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        stage.receive(completion: completion, at: index)
    }

    var description: String { stage.description }

    var mirrorChildren: [Mirror.Child] { [("parentSubscription", stage.combineIdentifier)] }
}
