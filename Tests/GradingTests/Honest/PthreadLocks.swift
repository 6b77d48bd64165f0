// A lock of the C library, as code from before Swift's own locks has it, and the time of day as C tells it.
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
final class Guarded<Value>: @unchecked Sendable {
    private var mutex = pthread_mutex_t()
    private var value: Value
    init(_ value: Value) { self.value = value; pthread_mutex_init(&mutex, nil) }
    deinit { pthread_mutex_destroy(&mutex) }
    func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        pthread_mutex_lock(&mutex); defer { pthread_mutex_unlock(&mutex) }
        return try body(&value)
    }
}
func now() -> Double { var t = timespec(); clock_gettime(CLOCK_MONOTONIC, &t); return Double(t.tv_sec) }
func seed() { srandom(UInt32(time(nil))) }
/*ANSWER*/
