#if COMBINE_TSAN
import Glibc
#else
import Synchronization
#endif

/// The module's one lock. It is stored inline in the object that it protects and is never held while the code of
/// another party runs.
///
/// `Synchronization.Mutex` is fast but ThreadSanitizer does not see it on Linux; a build with `-D COMBINE_TSAN` takes a
/// lock that it does see.
///
/// State that is only touched with this lock is declared `@exclusivity(unchecked)` where it is touched for every value: the
/// lock keeps two accesses apart, and the check at run time costs as much as another lock.
@usableFromInline
struct Lock: ~Copyable {
    #if COMBINE_TSAN
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    @inlinable
    init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    @inlinable
    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @inlinable
    func lock() { pthread_mutex_lock(mutex) }

    @inlinable
    func unlock() { pthread_mutex_unlock(mutex) }
    #else
    @usableFromInline let mutex = Mutex<Void>(())

    @inline(__always)
    @inlinable
    func lock() { mutex._unsafeLock() }

    @inline(__always)
    @inlinable
    func unlock() { mutex._unsafeUnlock() }
    #endif

    @inline(__always)
    @inlinable
    func callAsFunction<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Opens the lock for the time of a call, from inside of one that holds it.
    @inline(__always)
    @inlinable
    func unlocked<Result>(_ body: () throws -> Result) rethrows -> Result {
        unlock()
        defer { lock() }
        return try body()
    }

    /// Opens the lock for the time of a call, and until what it is given is let go of: that may run code when it goes.
    @inline(__always)
    @inlinable
    func unlocked<Value, Result>(with value: consuming Value, _ body: (Value) -> Result) -> Result {
        unlock()
        let result = body(value)
        _ = consume value
        lock()
        return result
    }
}
