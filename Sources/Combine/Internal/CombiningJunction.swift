/// What a junction keeps of one upstream's values.
class Slot {
    /// How many values are in it.
    final var count = 0
    final var hasFinished = false

    /// It is empty and stays so.
    final var isBarren: Bool { hasFinished && count == 0 }
}

/// A slot for values of this type.
class SlotOf<Value>: Slot {
    /// Takes the value, and leaves in its place the one which that replaced, if it did.
    func store(_ value: inout Value) { fatalError("Every slot stores what it is given.") }

    func removeAll() { fatalError("Every slot can be emptied.") }
}

/// A junction whose values are made of one from each upstream.
class CombiningJunction<Downstream: Subscriber>: JunctionTo<Downstream> {
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
        super.init(downstream, inlets: slots.count, needsEveryInlet: true)
    }

    override final func finish(_ inlet: Int) {
        slots[inlet].hasFinished = true
    }

    override func empty() {
        removeAll()
    }
}

/// What subscribes to one of the upstreams.
struct CombiningInlet<Input, Downstream: Subscriber>: Subscriber, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible
{
    typealias Failure = Downstream.Failure

    private let junction: CombiningJunction<Downstream>
    private let index: Int
    private let slot: SlotOf<Input>
    let combineIdentifier = CombineIdentifier()

    init(_ index: Int, of junction: CombiningJunction<Downstream>, slot: SlotOf<Input>) {
        self.junction = junction
        self.index = index
        self.slot = slot
    }

    func receive(subscription: any Subscription) {
        junction.receive(subscription: subscription, at: index)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        var value = input
        junction.lock.lock()
        guard junction.accepts(index) else {
            junction.lock.unlock()
            return .none
        }
        slot.store(&value)
        junction.isFresh = true
        let returned = junction.settleAndUnlock(origin: index)
        // What the value replaced is let go of outside of the lock: it may run code when it goes.
        withExtendedLifetime(value) {}
        return returned
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        junction.receive(completion: completion, at: index)
    }

    var description: String { junction.description }

    var customMirror: Mirror {
        Mirror(self, children: CollectionOfOne<Mirror.Child>(("parentSubscription", junction.combineIdentifier)))
    }

    var playgroundDescription: Any { description }
}
