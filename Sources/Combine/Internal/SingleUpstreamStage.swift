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
    @usableFromInline @exclusivity(unchecked) final var held: (any Subscription)?

    @inlinable
    init() {}

    /// Whether values may pass: there is a subscription, and neither completion nor cancellation has come.
    @inline(__always)
    @inlinable
    final var isConnected: Bool { phase.load(ordering: .acquiring) == Self.connected }

    /// Takes the subscription, or cancels it where the stage already has one or is at its end.
    @inlinable
    final func connect(_ subscription: any Subscription) -> Bool {
        let isTaken = lock {
            guard isAwaiting else { return false }
            held = subscription
            phase.store(Self.connected, ordering: .releasing)
            return true
        }
        if !isTaken {
            subscription.cancel()
        }
        return isTaken
    }

    /// The subscription, while the stage is connected.
    @inlinable
    final var subscription: (any Subscription)? { lock { held } }

    @inlinable
    final var isAwaiting: Bool { phase.load(ordering: .acquiring) == Self.awaiting }

    @inlinable
    final var isEnded: Bool { phase.load(ordering: .acquiring) == Self.ended }

    // As with Apple's operators, a stage that has no subscription yet does not end: neither where it is cancelled nor
    // where a completion comes too early. It takes the subscription when that comes. `endEvenAwaiting` is for the others.

    /// Ends the stage. Returns false where it has ended, or never begun.
    @inlinable
    final func end() -> Bool {
        // The subscription is let go of outside of the lock: what it holds may run code when it goes.
        let (wasConnected, _) = lock { endLocked(isConnected) }
        return wasConnected
    }

    /// Ends the stage and cancels its upstream. Returns false where it had ended, or never begun.
    @discardableResult
    @inlinable
    final func endAndCancel() -> Bool {
        let (wasConnected, released) = lock { endLocked(isConnected) }
        released?.cancel()
        return wasConnected
    }

    /// Ends the stage, also where it has no subscription yet: one that comes will be cancelled. Returns false where it has
    /// ended.
    @discardableResult
    @inlinable
    final func endEvenAwaiting(cancelling: Bool) -> Bool {
        let (hadNotEnded, released) = lock { endLocked(!isEnded) }
        if cancelling {
            released?.cancel()
        }
        return hadNotEnded
    }

    @inlinable
    final func endLocked(_ ends: Bool) -> (Bool, (any Subscription)?) {
        guard ends else { return (false, nil) }
        phase.store(Self.ended, ordering: .releasing)
        return (true, held.take())
    }
}
