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
struct Lock: ~Copyable {
    #if COMBINE_TSAN
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }

    func unlock() { pthread_mutex_unlock(mutex) }
    #else
    private let mutex = Mutex<Void>(())

    @inline(__always)
    func lock() { mutex._unsafeLock() }

    @inline(__always)
    func unlock() { mutex._unsafeUnlock() }
    #endif

    @inline(__always)
    func callAsFunction<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}
