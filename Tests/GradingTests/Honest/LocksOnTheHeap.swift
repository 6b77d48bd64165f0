// A lock of the C library in memory that does not move, as code from before Swift's own locks has it.
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
final class Guarded<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value
    init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }
    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1).deallocate()
        pthread_cond_destroy(condition)
        condition.deallocate()
    }
    func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        pthread_mutex_lock(&mutex.pointee); defer { pthread_mutex_unlock(mutex) }
        pthread_cond_signal(condition)
        return try body(&value)
    }
}
let count = Guarded(0)
func more() -> Int { count.withLock { $0 += 1; return $0 } }
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { if more() > 0 { total += number } }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
