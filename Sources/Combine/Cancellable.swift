/// Work that can be given up: a subscription that is no longer wanted goes on costing memory and time until it is told.
public protocol Cancellable {
    /// Gives the work up and lets go of what it holds.
    func cancel()
}
