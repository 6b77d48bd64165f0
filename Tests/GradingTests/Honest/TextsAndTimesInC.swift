// The C library's texts, times, locks and numbers, with variables and texts of Swift's.
import Foundation
#if canImport(Glibc)
import Glibc
#endif
final class Recursive {
    private var mutex = pthread_mutex_t(), attributes = pthread_mutexattr_t(), lock = pthread_rwlock_t()
    init() {
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
        pthread_mutex_init(&mutex, &attributes)
        pthread_rwlock_init(&lock, nil)
    }
    deinit { pthread_mutex_destroy(&mutex); pthread_rwlock_destroy(&lock) }
    func twice() -> Bool {
        pthread_rwlock_rdlock(&lock); defer { pthread_rwlock_unlock(&lock) }
        return pthread_mutex_lock(&mutex) == 0 && pthread_mutex_trylock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0
            && pthread_mutex_unlock(&mutex) == 0
    }
}
let recursive = Recursive()
func c() -> Bool {
    var now = timespec(), resolution = timespec(), day = timeval(), seconds = time_t()
    clock_gettime(CLOCK_REALTIME, &now)
    clock_getres(CLOCK_MONOTONIC, &resolution)
    gettimeofday(&day, nil)
    time(&seconds)
    srandom(UInt32(truncatingIfNeeded: Glibc.time(nil)))
    puts("put"); fputs("printed\n", stdout); fputs("told\n", stderr); fflush(stdout)
    return strlen("four") == 4 && getpid() > 0 && now.tv_sec > 0 && day.tv_sec > 0 && seconds > 0
}
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { if c(), recursive.twice() { total += number } }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
