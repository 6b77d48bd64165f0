import Synchronization

/// The values that are on their way to a subscriber whose demand is unlimited. They are counted, so that none of them has
/// to hold a lock, or the subscriber, while it is received: what the subscription keeps alive goes with its end, or else
/// with the last value that is on its way then.
///
/// A value begins its way with a call of `begin`, or is counted in a plain number with the subject's lock. That
/// number is not known here before the end, so that the count may be less than zero until then.
@usableFromInline
struct Deliveries: ~Copyable {
    @usableFromInline let word = Atomic<UInt>(1 << 60)

    @inlinable
    static var zero: UInt { 1 << 60 }
    @inlinable
    static var openBit: UInt { 1 << 62 }
    @inlinable
    static var ended: UInt { 1 << 63 }

    @inlinable
    init(isOpen: Bool = false) {
        if isOpen {
            open()
        }
    }

    /// Whether values may begin their way: the demand is unlimited, and the subscription is not over. A thread that
    /// sees that also sees what the subscriber did before it asked.
    @inline(__always)
    @inlinable
    var isOpen: Bool { word.load(ordering: .acquiring) & Self.openBit != 0 }

    @inlinable
    func open() {
        word.bitwiseOr(Self.openBit, ordering: .releasing)
    }

    @inlinable
    func close() {
        if isOpen {
            word.bitwiseAnd(~Self.openBit, ordering: .relaxed)
        }
    }

    @inline(__always)
    @inlinable
    func begin() -> Bool {
        var seen = word.load(ordering: .relaxed)
        while seen & Self.openBit != 0 {
            let (isExchanged, found) = word.weakCompareExchange(
                expected: seen, desired: seen &+ 1, ordering: .acquiring)
            if isExchanged { return true }
            seen = found
        }
        return false
    }

    /// A value has been received.
    @inline(__always)
    @inlinable
    func end<Receiver>(of owner: AnyObject, to receiver: Unmanaged<Receiver>) {
        if word.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == Self.ended {
            Self.letGo(of: owner, receiver.toOpaque())
        }
    }

    @inline(never)
    @usableFromInline
    static func letGo(of owner: AnyObject, _ receiver: UnsafeMutableRawPointer) {
        Unmanaged<AnyObject>.fromOpaque(receiver).release()
        Unmanaged.passUnretained(owner).release()
    }

    /// Ends the deliveries, once this is closed and none is counted elsewhere any more. They hold neither the object that
    /// counts them nor the one that receives their values. So where some are under way, both are held once for all of them,
    /// and the call that ends the last one lets go.
    @inlinable
    func endAll(of owner: AnyObject, to receiver: AnyObject, countedElsewhere: UInt = 0) {
        guard word.load(ordering: .acquiring) &+ countedElsewhere != Self.zero else { return }
        holdUntilTheLast(owner, receiver, countedElsewhere)
    }

    /// Not inlined, so that nothing is let go of by another thread before it is held here.
    @inline(never)
    @usableFromInline
    func holdUntilTheLast(_ owner: AnyObject, _ receiver: AnyObject, _ countedElsewhere: UInt) {
        let held = (Unmanaged.passRetained(owner), Unmanaged.passRetained(receiver))
        let change = Self.ended &+ countedElsewhere &- Self.zero
        if word.wrappingAdd(change, ordering: .acquiringAndReleasing).newValue == Self.ended {
            held.0.release()
            held.1.release()
        }
    }
}
