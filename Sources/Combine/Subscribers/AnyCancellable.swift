/// Work that outlives the object which began it is a leak or a crash. This object cancels its work when it is let go of.
public final class AnyCancellable: Cancellable, Hashable {
    private let lock = Lock()
    private var action: (() -> Void)?

    /// Runs the closure when cancelled or let go of, once.
    public init(_ cancel: @escaping () -> Void) {
        action = cancel
    }

    /// Cancels the given activity when cancelled or let go of.
    public init<C>(_ canceller: C) where C: Cancellable {
        action = canceller.cancel
    }

    deinit {
        action?()
    }

    public func cancel() {
        lock.lock()
        let action = self.action
        self.action = nil
        lock.unlock()
        action?()
    }

    public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool {
        lhs === rhs
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension AnyCancellable {
    /// Keeps this activity alive for as long as the collection does.
    public func store<C>(in collection: inout C) where C: RangeReplaceableCollection, C.Element == AnyCancellable {
        collection.append(self)
    }

    /// Keeps this activity alive for as long as the set does.
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(self)
    }
}
