/// Work that outlives the object which began it is a leak or a crash. This object cancels its work when it is let go of.
public final class AnyCancellable: Cancellable, Hashable {
    @usableFromInline let lock = Lock()
    @usableFromInline @exclusivity(unchecked) var action: (() -> Void)?

    /// Runs the closure when cancelled or let go of, once.
    @inlinable
    public init(_ cancel: @escaping () -> Void) {
        action = cancel
    }

    /// Cancels the given activity when cancelled or let go of.
    @inlinable
    public init<C>(_ canceller: C) where C: Cancellable {
        action = canceller.cancel
    }

    @inlinable
    deinit {
        action?()
    }

    @inlinable
    public func cancel() {
        let action = lock { self.action.take() }
        action?()
    }

    @inlinable
    public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool {
        lhs === rhs
    }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension AnyCancellable {
    /// Keeps this activity alive for as long as the collection does.
    @inlinable
    public func store<C>(in collection: inout C) where C: RangeReplaceableCollection, C.Element == AnyCancellable {
        collection.append(self)
    }

    /// Keeps this activity alive for as long as the set does.
    @inlinable
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(self)
    }
}

extension Cancellable {
    /// Keeps this activity alive for as long as the collection does.
    public func store<C>(in collection: inout C) where C: RangeReplaceableCollection, C.Element == AnyCancellable {
        AnyCancellable(self).store(in: &collection)
    }

    /// Keeps this activity alive for as long as the set does.
    public func store(in set: inout Set<AnyCancellable>) {
        AnyCancellable(self).store(in: &set)
    }
}
