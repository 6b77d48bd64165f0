/// What a subject keeps of each of its subscribers, which has it as its subscription.
@usableFromInline
class Conduit<Output, Failure: Error>: CustomReflectable, CustomPlaygroundDisplayConvertible {
    @usableFromInline final let lock = Lock()
    /// The subject; nil once the subscription is over.
    @usableFromInline final var parent: AnyObject?
    @usableFromInline final var inlet: Inlet<Output, Failure>?
    @usableFromInline final var demand = Subscribers.Demand.none
    /// Whether a value came that nobody had asked for, or none came yet.
    @usableFromInline final var owesLatestValue = true

    @inlinable
    init(parent: AnyObject, inlet: Inlet<Output, Failure>) {
        self.parent = parent
        self.inlet = inlet
    }

    @inlinable
    final func offer(_ output: Output) {
        lock.lock()
        guard demand > .none, let receiveValue = inlet?.receiveValue else {
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
        release().inlet?.receive(completion: completion)
    }

    /// Lets go of the subscriber and of the subject.
    @inlinable
    final func release() -> (inlet: Inlet<Output, Failure>?, parent: AnyObject?) {
        lock.lock()
        let released = (inlet, parent)
        inlet = nil
        parent = nil
        lock.unlock()
        return released
    }

    @usableFromInline
    var customMirror: Mirror {
        lock.lock()
        let (parent, inlet, demand) = (self.parent, self.inlet, self.demand)
        lock.unlock()
        let children: [Mirror.Child] = [
            ("parent", parent as Any), ("downstream", inlet.map { $0.subscriber } as Any), ("demand", demand),
            ("subject", parent as Any),
        ]
        return Mirror(self, children: children)
    }

    @usableFromInline
    var playgroundDescription: Any { String(describing: self) }
}

/// A subject's subscribers in the order in which they came. Most subjects have one.
@usableFromInline
enum Conduits<Element: AnyObject> {
    case none
    case one(Element)
    case many(ContiguousArray<Element>)

    @inlinable
    mutating func append(_ conduit: Element) {
        switch consume self {
        case .none:
            self = .one(conduit)
        case .one(let first):
            self = .many([first, conduit])
        case .many(var conduits):
            self = .none
            conduits.append(conduit)
            self = .many(conduits)
        }
    }

    @inlinable
    mutating func remove(_ conduit: Element) {
        switch consume self {
        case .none:
            self = .none
        case .one(let first):
            self = first === conduit ? .none : .one(first)
        case .many(var conduits):
            self = .none
            if let index = conduits.firstIndex(where: { $0 === conduit }) {
                conduits.remove(at: index)
            }
            self = conduits.isEmpty ? .none : .many(conduits)
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
        case .one(let conduit): body(conduit)
        case .many(let conduits):
            for conduit in conduits {
                body(conduit)
            }
        }
    }
}
