#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Several upstreams may send at the same time, each on its own thread, but a subscriber receives one event after the
/// other. The thread that may call it now has the turn. That is kept here, guarded by the stage's lock, so that no lock is
/// held during the call. A thread that finds the turn taken leaves its event with the stage, and the thread that has the
/// turn sends that event as well.
///
/// A thread that has the turn may take it again: what is sent from inside of a callback arrives before that call returns.
@usableFromInline
struct Turn {
    @usableFromInline var thread: UInt = 0

    @usableFromInline
    enum Entry {
        case first
        case again
        case refused
    }

    @inlinable
    init() {}

    @inlinable
    mutating func enter(on current: UInt = currentThread()) -> Entry {
        if thread == 0 {
            thread = current
            return .first
        }
        return thread == current ? .again : .refused
    }

    @inlinable
    var isTaken: Bool { thread != 0 }

    /// Whether another thread has the turn.
    @inlinable
    func isTakenByOther(than current: @autoclosure () -> UInt = currentThread()) -> Bool {
        thread != 0 && thread != current()
    }

    @inlinable
    mutating func leave(_ entry: Entry) {
        if entry == .first {
            thread = 0
        }
    }
}

@inlinable
func currentThread() -> UInt {
    #if canImport(Glibc)
    UInt(pthread_self())
    #else
    UInt(bitPattern: pthread_self())
    #endif
}

/// One call of a stage: which upstream's it is, if it is one's, what that upstream may send more, and whether the call has
/// the turn.
@usableFromInline
struct StageCall {
    @usableFromInline let origin: Int?
    @usableFromInline let thread: UInt
    @usableFromInline var returned = Subscribers.Demand.none
    @usableFromInline var entry: Turn.Entry?

    @inlinable
    init(from origin: Int? = nil, on thread: UInt = currentThread()) {
        self.origin = origin
        self.thread = thread
    }
}

extension Turn {
    /// Takes the turn for a call, which may have it already.
    @inline(__always)
    @inlinable
    mutating func enter(_ call: inout StageCall) -> Entry {
        if let entry = call.entry { return entry }
        let entry = enter(on: call.thread)
        call.entry = entry
        return entry
    }
}
