/// Work that has begun may no longer be needed. A cancellable can stop it.
public protocol Cancellable {
    /// Ends the activity and lets go of what it holds.
    func cancel()
}
