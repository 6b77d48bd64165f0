import Synchronization

/// The calls with a value from which downstream has not returned. Several threads may send at the same time, each with its
/// own call. The end of a stage that ends by itself must not overtake any of them: it comes at once where no other thread
/// has such a call, and else after the last of them.
///
/// What a thread ends from inside of its own call ends there, as with Apple's.
///
/// All of it is one word, so that a stage which takes no lock for a value can keep it too.
@usableFromInline
struct DownstreamCalls: RawRepresentable, AtomicRepresentable, Equatable {
    /// In the lowest bit, whether the end waits for the calls; then the thread that has the first of them, which is an
    /// address of at most 48 bits; above it, how many calls other threads have.
    @usableFromInline var rawValue: UInt

    @usableFromInline
    enum Entry {
        case first
        /// The call is made from inside of another of the same thread.
        case inside
        /// Another thread has the first.
        case parallel
    }

    @inlinable
    init(rawValue: UInt = 0) {
        self.rawValue = rawValue
    }

    @inlinable
    static var endWaitsBit: UInt { 1 }
    @inlinable
    static var oneParallel: UInt { 1 << 49 }

    @inlinable
    var thread: UInt { (rawValue & (Self.oneParallel - 1)) >> 1 }

    @inlinable
    var hasParallel: Bool { rawValue >= Self.oneParallel }

    /// Whether the end is known, and has not been sent because of these calls.
    @inlinable
    var endWaits: Bool { rawValue & Self.endWaitsBit != 0 }

    /// A call begins.
    @inline(__always)
    @inlinable
    mutating func begin(on current: UInt = currentThread()) -> Entry {
        switch thread {
        case 0:
            rawValue |= current << 1
            return .first
        case current:
            return .inside
        default:
            rawValue += Self.oneParallel
            return .parallel
        }
    }

    /// A call has returned. Returns whether the end is sent now.
    @inline(__always)
    @inlinable
    mutating func end(_ entry: Entry) -> Bool {
        switch entry {
        case .first: rawValue &= ~(thread << 1)
        case .inside: return false
        case .parallel: rawValue -= Self.oneParallel
        }
        guard rawValue == Self.endWaitsBit else { return false }
        rawValue = 0
        return true
    }

    /// The end is known. Returns whether it is sent now.
    @inlinable
    mutating func finish(on current: UInt = currentThread()) -> Bool {
        if !hasParallel, thread == 0 || thread == current { return true }
        rawValue |= Self.endWaitsBit
        return false
    }

    /// An end that waits is not sent any more. Returns whether there was one.
    @inlinable
    mutating func withdrawEnd() -> Bool {
        defer { rawValue &= ~Self.endWaitsBit }
        return endWaits
    }
}

extension Atomic where Value == DownstreamCalls {
    @inline(__always)
    @inlinable
    func update<Result>(_ transition: (inout DownstreamCalls) -> Result) -> Result {
        var seen = load(ordering: .relaxed)
        while true {
            var next = seen
            let result = transition(&next)
            let (isExchanged, found) = weakCompareExchange(
                expected: seen, desired: next, ordering: .acquiringAndReleasing)
            if isExchanged { return result }
            seen = found
        }
    }
}
