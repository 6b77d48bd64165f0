import Synchronization

/// A stage has one subscription to its upstream in its whole life. This is where that is kept: the base class of a
/// stage that stands between two others, with the lock which such a stage may use for its own state too.
///
/// `isConnected` takes no lock, so that a stage which only transforms values takes none for any of them.
@usableFromInline
class SingleUpstreamStage {
    @inlinable
    static var awaiting: UInt8 { 0 }
    @inlinable
    static var connected: UInt8 { 1 }
    @inlinable
    static var ended: UInt8 { 2 }

    @usableFromInline final let lock = Lock()
    @usableFromInline final let phase = Atomic<UInt8>(0)
    @usableFromInline final var held: (any Subscription)?

    @inlinable
    init() {}

    /// Whether values may pass: there is a subscription, and neither completion nor cancellation has come.
    @inline(__always)
    @inlinable
    final var isConnected: Bool { phase.load(ordering: .acquiring) == Self.connected }

    /// Takes the subscription, or cancels it where the stage already has one or is at its end.
    @inlinable
    final func connect(_ subscription: any Subscription) -> Bool {
        lock.lock()
        guard phase.load(ordering: .relaxed) == Self.awaiting else {
            lock.unlock()
            subscription.cancel()
            return false
        }
        held = subscription
        phase.store(Self.connected, ordering: .releasing)
        lock.unlock()
        return true
    }

    /// The subscription, while the stage is connected.
    @inlinable
    final var subscription: (any Subscription)? {
        lock.lock()
        defer { lock.unlock() }
        return held
    }

    /// Ends the stage. Returns false where it has ended, or never begun.
    @inlinable
    final func end() -> Bool {
        lock.lock()
        let (wasConnected, released) = endLocked()
        lock.unlock()
        // The subscription is let go of outside of the lock: what it holds may run code when it goes.
        _ = released
        return wasConnected
    }

    /// Ends the stage and cancels its upstream. Returns false where it had ended, or never begun.
    @discardableResult
    @inlinable
    final func endAndCancel() -> Bool {
        lock.lock()
        let (wasConnected, released) = endLocked()
        lock.unlock()
        released?.cancel()
        return wasConnected
    }

    @inlinable
    final func endLocked() -> (Bool, (any Subscription)?) {
        let wasConnected = phase.load(ordering: .relaxed) == Self.connected
        phase.store(Self.ended, ordering: .releasing)
        let released = held
        held = nil
        return (wasConnected, released)
    }
}
