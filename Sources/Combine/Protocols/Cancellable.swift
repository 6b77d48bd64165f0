/// Work that has begun may no longer be needed. A cancellable can stop it.
public protocol Cancellable {
    /// Ends the activity and lets go of what it holds.
    func cancel()
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
