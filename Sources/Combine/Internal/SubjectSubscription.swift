/// What a subject keeps of each of its subscribers, which has it as its subscription.
@usableFromInline
class SubjectSubscription<Output, Failure: Error> {
    // All of it is guarded by the lock, so that nothing of it needs to be checked for overlapping access as well.
    @usableFromInline final let lock = Lock()
    /// The subject; nil once the subscription is over.
    @usableFromInline @exclusivity(unchecked) final var parent: AnyObject?
    @usableFromInline @exclusivity(unchecked) final var erasedSubscriber: ErasedSubscriber<Output, Failure>?
    @usableFromInline @exclusivity(unchecked) final var demand = Subscribers.Demand.none
    /// Whether a value came without demand, or no value came yet.
    @usableFromInline @exclusivity(unchecked) final var owesLatestValue = true
    /// The number of the subject's value that was handed over last because it was asked for.
    @usableFromInline @exclusivity(unchecked) final var latestNumber: UInt64 = 0
    /// Whose turn it is, while the subscription is handed over, or a value that was asked for.
    @usableFromInline @exclusivity(unchecked) final var turn = Turn()
    /// Whether another thread has asked for that in the meantime.
    @usableFromInline @exclusivity(unchecked) final var requestWaits = false
    /// What another thread sends in the meantime. It is made when something must wait.
    @usableFromInline @exclusivity(unchecked) final var waiting: Waiting?

    @usableFromInline
    final class Waiting {
        @usableFromInline var values = Queue<Output>()
        @usableFromInline var completion: Subscribers.Completion<Failure>?

        @inlinable
        init() {}
    }

    // Only these are touched without the lock.
    @usableFromInline final let deliveries = Deliveries()
    /// The subscriber, which is held by the property above, and after the end for as long as deliveries are under way.
    @usableFromInline final let receiver: Unmanaged<ErasedSubscriber<Output, Failure>>
    /// How many deliveries have begun with the subject's lock. It is guarded by that.
    @usableFromInline @exclusivity(unchecked) final var begunWithSubjectsLock: UInt = 0

    @inlinable
    init(parent: AnyObject, erasedSubscriber: ErasedSubscriber<Output, Failure>) {
        self.parent = parent
        self.erasedSubscriber = erasedSubscriber
        receiver = .passUnretained(erasedSubscriber)
    }

    /// Hands over the subscription. What other threads send meanwhile waits: it must not come first. `append` makes it known to
    /// the subject, and unlocks that.
    ///
    /// Returns whether another thread has asked for the subject's value meanwhile.
    @inlinable
    final func announce(
        _ subscription: any Subscription, to subscriber: ErasedSubscriber<Output, Failure>, append: () -> Void
    ) -> Bool {
        let entry = turn.enter()
        append()
        subscriber.receive(subscription: subscription)
        return endTurn(entry, adding: .none, to: subscriber)
    }

    /// Hands over a value that is sent, if there is demand. A subject that keeps its values numbers them: one that has been
    /// asked for already is not handed over again.
    @inlinable
    final func offer(_ output: Output, number: UInt64 = .max) {
        if deliveries.begin() {
            // What is read here changes no more once values need no lock.
            if number > latestNumber { deliver(output) } else { deliveries.end(of: self, to: receiver) }
            return
        }
        lock.lock()
        guard number > latestNumber, demand > .none, let erasedSubscriber else {
            owesLatestValue = owesLatestValue || number > latestNumber
            lock.unlock()
            return
        }
        demand -= 1
        owesLatestValue = false
        if turn.isTaken {
            if turn.isTakenByOther() || waiting != nil {
                wait { $0.values.append(output) }
                lock.unlock()
                return
            }
        } else if demand == .unlimited {
            deliveries.open()
        }
        lock.unlock()
        add(erasedSubscriber.receive(output))
    }

    /// With the lock.
    @inline(never)
    @usableFromInline
    final func wait(_ body: (Waiting) -> Void) {
        let waiting = self.waiting ?? Waiting()
        self.waiting = waiting
        body(waiting)
    }

    /// Hands over the subject's value where the subscriber has not got it, and after it what has come meanwhile. The closure
    /// reads the value and its number, with the subject's lock.
    ///
    /// Returns whether another thread has asked for the value meanwhile. Then this is called again.
    @inline(__always)
    @inlinable
    final func request(_ more: Subscribers.Demand, latest: (AnyObject, inout UInt64) -> Output) -> Bool {
        lock.lock()
        guard let parent, let erasedSubscriber else {
            lock.unlock()
            return false
        }
        demand += more
        guard owesLatestValue, demand > .none else {
            lock.unlock()
            return false
        }
        // What waits was sent before.
        let entry = turn.enter()
        guard entry != .refused, waiting == nil else {
            requestWaits = true
            lock.unlock()
            return false
        }
        owesLatestValue = false
        demand -= 1
        let value = latest(parent, &latestNumber)
        lock.unlock()
        return endTurn(entry, adding: erasedSubscriber.receive(value), to: erasedSubscriber)
    }

    /// Returns whether another thread has asked for the subject's value meanwhile.
    @usableFromInline
    final func endTurn(
        _ entry: Turn.Entry, adding more: Subscribers.Demand, to subscriber: ErasedSubscriber<Output, Failure>
    ) -> Bool {
        lock.lock()
        demand += more
        while entry == .first, waiting != nil {
            lock.unlock()
            sendNextWaiting(to: subscriber)
            lock.lock()
        }
        turn.leave(entry)
        let mustRequest = entry == .first && requestWaits
        if mustRequest {
            requestWaits = false
        }
        lock.unlock()
        return mustRequest
    }

    @inline(never)
    @usableFromInline
    final func sendNextWaiting(to subscriber: ErasedSubscriber<Output, Failure>) {
        let (value, completion): (Output?, Subscribers.Completion<Failure>?) = lock {
            guard let waiting else { return (nil, nil) }
            let value = waiting.values.popFirst()
            let isLast = value == nil || waiting.values.isEmpty && waiting.completion == nil
            if isLast { self.waiting = nil }
            return (value, isLast ? waiting.completion : nil)
        }
        if let value {
            add(subscriber.receive(value))
        } else if let completion {
            finish(completion)
        }
    }

    /// Begins a delivery, if the demand is unlimited. With the subject's lock, under which this costs nothing.
    @inline(__always)
    @inlinable
    final func beginWithSubjectsLock() -> Bool {
        guard deliveries.isOpen else { return false }
        begunWithSubjectsLock &+= 1
        return true
    }

    /// Hands over a value whose delivery has begun.
    @inline(__always)
    @inlinable
    final func deliver(_ output: Output) {
        // Since it began, this thread may have cancelled: what a subject lets go of can run code.
        if deliveries.isOpen {
            // The delivery keeps the subscriber alive: to hold it once more would cost as much as a lock.
            _ = receiver._withUnsafeGuaranteedRef { $0.receive(output) }
        }
        deliveries.end(of: self, to: receiver)
    }

    @inlinable
    final func add(_ more: Subscribers.Demand) {
        if more > .none {
            lock { demand += more }
        }
    }

    @inlinable
    final func finish(_ completion: Subscribers.Completion<Failure>) {
        lock.lock()
        if turn.isTakenByOther() || waiting != nil {
            wait { $0.completion = completion }
            return lock.unlock()
        }
        // Before it is unlocked, so that no other thread takes the turn in between.
        let released = releaseLocked()
        lock.unlock()
        guard let erasedSubscriber = released.erasedSubscriber else { return }
        deliveries.endAll(of: self, to: erasedSubscriber, countedElsewhere: begunWithSubjectsLock)
        erasedSubscriber.receive(completion: completion)
    }

    /// Ends the subscription from downstream. The closure takes it out of the subject.
    @inline(__always)
    @inlinable
    final func cancel(removing: (AnyObject) -> Void) {
        let released = release()
        if let parent = released.parent {
            removing(parent)
        }
        if let erasedSubscriber = released.erasedSubscriber {
            deliveries.endAll(of: self, to: erasedSubscriber, countedElsewhere: begunWithSubjectsLock)
        }
    }

    /// Lets go of the subscriber and of the subject. No delivery begins any more, once the subject has let go of this too.
    @inlinable
    final func release() -> (erasedSubscriber: ErasedSubscriber<Output, Failure>?, parent: AnyObject?) {
        lock.lock()
        let released = releaseLocked()
        lock.unlock()
        return (released.erasedSubscriber, released.parent)
    }

    /// The caller lets go of what is returned outside of the lock.
    @inlinable
    final func releaseLocked() -> (
        erasedSubscriber: ErasedSubscriber<Output, Failure>?, parent: AnyObject?, waiting: Waiting?
    ) {
        let released = (erasedSubscriber.take(), parent.take(), waiting)
        waiting = nil
        deliveries.close()
        return released
    }

    @usableFromInline
    final var customMirror: Mirror { Mirror(self, children: mirrorChildren) }

    @usableFromInline
    var mirrorChildren: [Mirror.Child] {
        let (parent, erasedSubscriber, demand) = lock { (self.parent, self.erasedSubscriber, self.demand) }
        return [
            ("parent", parent as Any), ("downstream", erasedSubscriber.map { $0.subscriber } as Any),
            ("demand", demand), ("subject", parent as Any),
        ]
    }
}

/// A subject's subscribers in the order in which they came. Most subjects have one.
///
/// It is not generic, so that a cancel, which comes through a protocol, needs no search for types. Every element is
/// a `SubjectSubscription` of the subject's types.
@usableFromInline
struct SubjectSubscriptions {
    @usableFromInline
    enum Storage {
        case none
        case one(AnyObject)
        case many(ContiguousArray<AnyObject>)

        @inlinable
        func forEach(_ body: (AnyObject) -> Void) {
            switch self {
            case .none: break
            case .one(let subscription): body(subscription)
            case .many(let subscriptions): subscriptions.forEach(body)
            }
        }
    }

    @usableFromInline var storage = Storage.none
    /// The one subscription there is, held by the storage: to read it counts no reference.
    @usableFromInline var only: Unmanaged<AnyObject>?

    @inlinable
    init() {}

    @usableFromInline
    mutating func append(_ subscription: AnyObject) {
        switch take() {
        case .none:
            set(.one(subscription))
        case .one(let first):
            set(.many([first, subscription]))
        case .many(var subscriptions):
            subscriptions.append(subscription)
            set(.many(subscriptions))
        }
    }

    @usableFromInline
    mutating func remove(_ subscription: AnyObject) {
        switch take() {
        case .none:
            break
        case .one(let first):
            if first !== subscription {
                set(.one(first))
            }
        case .many(var subscriptions):
            if let index = subscriptions.firstIndex(where: { $0 === subscription }) {
                subscriptions.remove(at: index)
            }
            set(subscriptions.count == 1 ? .one(subscriptions[0]) : .many(subscriptions))
        }
    }

    @inlinable
    mutating func take() -> Storage {
        only = nil
        return exchange(&storage, with: .none)
    }

    @inlinable
    mutating func set(_ storage: consuming Storage) {
        if case .one(let subscription) = storage {
            only = .passUnretained(subscription)
        }
        self.storage = storage
    }

    // Mutating, so that what it does not need is not copied.
    /// The subscribers that receive the next value. With the subject's lock.
    @inline(__always)
    @inlinable
    mutating func recipients<Output, Failure>() -> Recipients<Output, Failure> {
        if let only {
            let subscription = Unmanaged<SubjectSubscription<Output, Failure>>.fromOpaque(only.toOpaque())
            if subscription._withUnsafeGuaranteedRef({ $0.beginWithSubjectsLock() }) {
                return .only(subscription)
            }
        }
        return .all(storage)
    }

    /// The subscribers that receive one value.
    @usableFromInline
    enum Recipients<Output, Failure: Error> {
        /// The only subscription, to which a delivery has begun. It holds the subscription until its end.
        case only(Unmanaged<SubjectSubscription<Output, Failure>>)
        case all(Storage)

        @inline(__always)
        @inlinable
        func offer(_ output: Output, number: UInt64 = .max) {
            switch self {
            case .only(let subscription): subscription._withUnsafeGuaranteedRef { $0.deliver(output) }
            case .all(.none): break
            case .all(.one(let subscription)):
                unsafeDowncast(subscription, to: SubjectSubscription<Output, Failure>.self).offer(
                    output, number: number)
            case .all(.many(let subscriptions)):
                // All at once: an element that is cast by itself is held once more while it is used.
                let subscriptions = unsafeBitCast(
                    subscriptions, to: ContiguousArray<SubjectSubscription<Output, Failure>>.self)
                for subscription in subscriptions {
                    subscription.offer(output, number: number)
                }
            }
        }
    }
}
