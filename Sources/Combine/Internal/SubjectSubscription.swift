/// What a subject keeps of each of its subscribers, which has it as its subscription.
@usableFromInline
class SubjectSubscription<Output, Failure: Error>: CustomReflectable, CustomPlaygroundDisplayConvertible {
    @usableFromInline final let lock = Lock()
    /// The subject; nil once the subscription is over.
    @usableFromInline final var parent: AnyObject?
    @usableFromInline final var erasedSubscriber: ErasedSubscriber<Output, Failure>?
    @usableFromInline final var demand = Subscribers.Demand.none
    /// Whether a value came without demand, or no value came yet.
    @usableFromInline final var owesLatestValue = true

    @inlinable
    init(parent: AnyObject, erasedSubscriber: ErasedSubscriber<Output, Failure>) {
        self.parent = parent
        self.erasedSubscriber = erasedSubscriber
    }

    @inlinable
    final func offer(_ output: Output) {
        lock.lock()
        guard demand > .none, let receiveValue = erasedSubscriber?.receiveValue else {
            owesLatestValue = true
            lock.unlock()
            return
        }
        demand -= 1
        owesLatestValue = false
        lock.unlock()
        add(receiveValue(output))
    }

    @inlinable
    final func add(_ more: Subscribers.Demand) {
        if more > .none {
            lock.lock()
            demand += more
            lock.unlock()
        }
    }

    @inlinable
    final func finish(_ completion: Subscribers.Completion<Failure>) {
        release().erasedSubscriber?.receive(completion: completion)
    }

    /// Lets go of the subscriber and of the subject.
    @inlinable
    final func release() -> (erasedSubscriber: ErasedSubscriber<Output, Failure>?, parent: AnyObject?) {
        lock.lock()
        let released = (erasedSubscriber, parent)
        erasedSubscriber = nil
        parent = nil
        lock.unlock()
        return released
    }

    @usableFromInline
    var customMirror: Mirror {
        lock.lock()
        let (parent, erasedSubscriber, demand) = (self.parent, self.erasedSubscriber, self.demand)
        lock.unlock()
        let children: [Mirror.Child] = [
            ("parent", parent as Any), ("downstream", erasedSubscriber.map { $0.subscriber } as Any),
            ("demand", demand),
            ("subject", parent as Any),
        ]
        return Mirror(self, children: children)
    }

    @usableFromInline
    var playgroundDescription: Any { String(describing: self) }
}

/// A subject's subscribers in the order in which they came. Most subjects have one.
@usableFromInline
enum SubjectSubscriptions<Element: AnyObject> {
    case none
    case one(Element)
    case many(ContiguousArray<Element>)

    @inlinable
    mutating func append(_ subscription: Element) {
        switch consume self {
        case .none:
            self = .one(subscription)
        case .one(let first):
            self = .many([first, subscription])
        case .many(var subscriptions):
            self = .none
            subscriptions.append(subscription)
            self = .many(subscriptions)
        }
    }

    @inlinable
    mutating func remove(_ subscription: Element) {
        switch consume self {
        case .none:
            self = .none
        case .one(let first):
            self = first === subscription ? .none : .one(first)
        case .many(var subscriptions):
            self = .none
            if let index = subscriptions.firstIndex(where: { $0 === subscription }) {
                subscriptions.remove(at: index)
            }
            self = subscriptions.isEmpty ? .none : .many(subscriptions)
        }
    }

    @inlinable
    mutating func take() -> Self {
        let taken = self
        self = .none
        return taken
    }

    @inlinable
    @inline(__always)
    func forEach(_ body: (Element) -> Void) {
        switch self {
        case .none: break
        case .one(let subscription): body(subscription)
        case .many(let subscriptions):
            for subscription in subscriptions {
                body(subscription)
            }
        }
    }
}
