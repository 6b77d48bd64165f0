#if !COMBINE_TSAN
import Synchronization
#endif

/// The one storage of a stage that has state: a state machine, and the lock that it is only touched with.
///
/// A transition returns the action to perform. The stage performs it after `withLock` has returned, so that the lock is
/// never held while the code of another party runs. What a transition lets go of may run code too: it is part of the
/// action.
@usableFromInline
struct Locked<Value>: ~Copyable {
    #if COMBINE_TSAN
    @usableFromInline let lock = Lock()
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable
    init(_ value: Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    @inlinable
    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    @inlinable
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock { body(&value.pointee) }
    }
    #else
    @usableFromInline let mutex: Mutex<Value>

    @inlinable
    init(_ value: Value) {
        mutex = Mutex(value)
    }

    @inline(__always)
    @inlinable
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { body(&$0) }
    }
    #endif
}
