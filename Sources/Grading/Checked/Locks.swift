// A lock of the C library is plain memory, and code that looks inside can make it point anywhere. These keep it where only
// the library's own functions reach it. `Names.swift` gives them the library's names.
import Glibc

/// Memory of one C type, filled with zeros as the library's own initial values are.
final class LockMemory<Value>: @unchecked Sendable {  // the library's functions are made for many threads
    let address = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    init() {
        UnsafeMutableRawPointer(address).initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<Value>.size)
    }
    deinit { address.deallocate() }
}

public protocol PosixLock: Sendable {
    init()
}

public struct PosixMutex: PosixLock {
    fileprivate let memory = LockMemory<pthread_mutex_t>()
    public init() {}
}
public struct PosixMutexAttributes: PosixLock {
    fileprivate let memory = LockMemory<pthread_mutexattr_t>()
    public init() {}
}
public struct PosixReadWriteLock: PosixLock {
    fileprivate let memory = LockMemory<pthread_rwlock_t>()
    public init() {}
}
public struct PosixCondition: PosixLock {
    fileprivate let memory = LockMemory<pthread_cond_t>()
    public init() {}
}

/// A lock on the heap, as code from before Swift's own locks has it. Its memory is kept as long as anything refers to it.
public struct PosixLockPointer<Lock: PosixLock>: Sendable {
    private let lock: Lock

    // Each lock has memory of its own. One that is assigned is as new as the one that is there.
    public var pointee: Lock {
        get { lock }
        nonmutating set {}
    }

    public static func allocate(capacity: Int) -> PosixLockPointer {
        precondition(capacity == 1, "one lock at a time")
        return PosixLockPointer(lock: Lock())
    }

    public func initialize(to lock: Lock) {}
    public func initialize(repeating lock: Lock, count: Int) {}
    @discardableResult public func deinitialize(count: Int) -> PosixLockPointer { self }
    public func deallocate() {}
}

// MARK: Mutexes

@discardableResult public func pthread_mutex_init(_ mutex: inout PosixMutex, _ attributes: NoAddress?) -> Int32 {
    Glibc.pthread_mutex_init(mutex.memory.address, nil)
}
@discardableResult public func pthread_mutex_init(
    _ mutex: PosixLockPointer<PosixMutex>, _ attributes: NoAddress?
) -> Int32 {
    Glibc.pthread_mutex_init(mutex.pointee.memory.address, nil)
}
@discardableResult public func pthread_mutex_init(
    _ mutex: inout PosixMutex, _ attributes: inout PosixMutexAttributes
) -> Int32 {
    Glibc.pthread_mutex_init(mutex.memory.address, attributes.memory.address)
}
@discardableResult public func pthread_mutex_init(
    _ mutex: PosixLockPointer<PosixMutex>, _ attributes: inout PosixMutexAttributes
) -> Int32 {
    Glibc.pthread_mutex_init(mutex.pointee.memory.address, attributes.memory.address)
}
@discardableResult public func pthread_mutex_lock(_ mutex: inout PosixMutex) -> Int32 {
    Glibc.pthread_mutex_lock(mutex.memory.address)
}
@discardableResult public func pthread_mutex_lock(_ mutex: PosixLockPointer<PosixMutex>) -> Int32 {
    Glibc.pthread_mutex_lock(mutex.pointee.memory.address)
}
@discardableResult public func pthread_mutex_trylock(_ mutex: inout PosixMutex) -> Int32 {
    Glibc.pthread_mutex_trylock(mutex.memory.address)
}
@discardableResult public func pthread_mutex_trylock(_ mutex: PosixLockPointer<PosixMutex>) -> Int32 {
    Glibc.pthread_mutex_trylock(mutex.pointee.memory.address)
}
@discardableResult public func pthread_mutex_unlock(_ mutex: inout PosixMutex) -> Int32 {
    Glibc.pthread_mutex_unlock(mutex.memory.address)
}
@discardableResult public func pthread_mutex_unlock(_ mutex: PosixLockPointer<PosixMutex>) -> Int32 {
    Glibc.pthread_mutex_unlock(mutex.pointee.memory.address)
}
@discardableResult public func pthread_mutex_destroy(_ mutex: inout PosixMutex) -> Int32 {
    Glibc.pthread_mutex_destroy(mutex.memory.address)
}
@discardableResult public func pthread_mutex_destroy(_ mutex: PosixLockPointer<PosixMutex>) -> Int32 {
    Glibc.pthread_mutex_destroy(mutex.pointee.memory.address)
}
@discardableResult public func pthread_mutexattr_init(_ attributes: inout PosixMutexAttributes) -> Int32 {
    Glibc.pthread_mutexattr_init(attributes.memory.address)
}
@discardableResult public func pthread_mutexattr_init(_ attributes: PosixLockPointer<PosixMutexAttributes>) -> Int32 {
    Glibc.pthread_mutexattr_init(attributes.pointee.memory.address)
}
@discardableResult public func pthread_mutexattr_destroy(_ attributes: inout PosixMutexAttributes) -> Int32 {
    Glibc.pthread_mutexattr_destroy(attributes.memory.address)
}
@discardableResult public func pthread_mutexattr_destroy(
    _ attributes: PosixLockPointer<PosixMutexAttributes>
) -> Int32 {
    Glibc.pthread_mutexattr_destroy(attributes.pointee.memory.address)
}
@discardableResult public func pthread_mutexattr_settype(
    _ attributes: inout PosixMutexAttributes, _ kind: Int32
) -> Int32 {
    Glibc.pthread_mutexattr_settype(attributes.memory.address, kind)
}
@discardableResult public func pthread_mutexattr_settype(
    _ attributes: PosixLockPointer<PosixMutexAttributes>, _ kind: Int32
) -> Int32 {
    Glibc.pthread_mutexattr_settype(attributes.pointee.memory.address, kind)
}

// MARK: Locks for readers and writers

@discardableResult public func pthread_rwlock_init(
    _ lock: inout PosixReadWriteLock, _ attributes: NoAddress?
) -> Int32 {
    Glibc.pthread_rwlock_init(lock.memory.address, nil)
}
@discardableResult public func pthread_rwlock_init(
    _ lock: PosixLockPointer<PosixReadWriteLock>, _ attributes: NoAddress?
) -> Int32 {
    Glibc.pthread_rwlock_init(lock.pointee.memory.address, nil)
}
@discardableResult public func pthread_rwlock_rdlock(_ lock: inout PosixReadWriteLock) -> Int32 {
    Glibc.pthread_rwlock_rdlock(lock.memory.address)
}
@discardableResult public func pthread_rwlock_rdlock(_ lock: PosixLockPointer<PosixReadWriteLock>) -> Int32 {
    Glibc.pthread_rwlock_rdlock(lock.pointee.memory.address)
}
@discardableResult public func pthread_rwlock_wrlock(_ lock: inout PosixReadWriteLock) -> Int32 {
    Glibc.pthread_rwlock_wrlock(lock.memory.address)
}
@discardableResult public func pthread_rwlock_wrlock(_ lock: PosixLockPointer<PosixReadWriteLock>) -> Int32 {
    Glibc.pthread_rwlock_wrlock(lock.pointee.memory.address)
}
@discardableResult public func pthread_rwlock_tryrdlock(_ lock: inout PosixReadWriteLock) -> Int32 {
    Glibc.pthread_rwlock_tryrdlock(lock.memory.address)
}
@discardableResult public func pthread_rwlock_tryrdlock(_ lock: PosixLockPointer<PosixReadWriteLock>) -> Int32 {
    Glibc.pthread_rwlock_tryrdlock(lock.pointee.memory.address)
}
@discardableResult public func pthread_rwlock_trywrlock(_ lock: inout PosixReadWriteLock) -> Int32 {
    Glibc.pthread_rwlock_trywrlock(lock.memory.address)
}
@discardableResult public func pthread_rwlock_trywrlock(_ lock: PosixLockPointer<PosixReadWriteLock>) -> Int32 {
    Glibc.pthread_rwlock_trywrlock(lock.pointee.memory.address)
}
@discardableResult public func pthread_rwlock_unlock(_ lock: inout PosixReadWriteLock) -> Int32 {
    Glibc.pthread_rwlock_unlock(lock.memory.address)
}
@discardableResult public func pthread_rwlock_unlock(_ lock: PosixLockPointer<PosixReadWriteLock>) -> Int32 {
    Glibc.pthread_rwlock_unlock(lock.pointee.memory.address)
}
@discardableResult public func pthread_rwlock_destroy(_ lock: inout PosixReadWriteLock) -> Int32 {
    Glibc.pthread_rwlock_destroy(lock.memory.address)
}
@discardableResult public func pthread_rwlock_destroy(_ lock: PosixLockPointer<PosixReadWriteLock>) -> Int32 {
    Glibc.pthread_rwlock_destroy(lock.pointee.memory.address)
}

// MARK: Conditions

@discardableResult public func pthread_cond_init(
    _ condition: inout PosixCondition, _ attributes: NoAddress?
) -> Int32 {
    Glibc.pthread_cond_init(condition.memory.address, nil)
}
@discardableResult public func pthread_cond_init(
    _ condition: PosixLockPointer<PosixCondition>, _ attributes: NoAddress?
) -> Int32 {
    Glibc.pthread_cond_init(condition.pointee.memory.address, nil)
}
@discardableResult public func pthread_cond_signal(_ condition: inout PosixCondition) -> Int32 {
    Glibc.pthread_cond_signal(condition.memory.address)
}
@discardableResult public func pthread_cond_signal(_ condition: PosixLockPointer<PosixCondition>) -> Int32 {
    Glibc.pthread_cond_signal(condition.pointee.memory.address)
}
@discardableResult public func pthread_cond_broadcast(_ condition: inout PosixCondition) -> Int32 {
    Glibc.pthread_cond_broadcast(condition.memory.address)
}
@discardableResult public func pthread_cond_broadcast(_ condition: PosixLockPointer<PosixCondition>) -> Int32 {
    Glibc.pthread_cond_broadcast(condition.pointee.memory.address)
}
@discardableResult public func pthread_cond_destroy(_ condition: inout PosixCondition) -> Int32 {
    Glibc.pthread_cond_destroy(condition.memory.address)
}
@discardableResult public func pthread_cond_destroy(_ condition: PosixLockPointer<PosixCondition>) -> Int32 {
    Glibc.pthread_cond_destroy(condition.pointee.memory.address)
}
@discardableResult public func pthread_cond_wait(
    _ condition: inout PosixCondition, _ mutex: inout PosixMutex
) -> Int32 {
    Glibc.pthread_cond_wait(condition.memory.address, mutex.memory.address)
}
@discardableResult public func pthread_cond_wait(
    _ condition: PosixLockPointer<PosixCondition>, _ mutex: PosixLockPointer<PosixMutex>
) -> Int32 {
    Glibc.pthread_cond_wait(condition.pointee.memory.address, mutex.pointee.memory.address)
}
@discardableResult public func pthread_cond_timedwait(
    _ condition: inout PosixCondition, _ mutex: inout PosixMutex, _ time: inout timespec
) -> Int32 {
    Glibc.pthread_cond_timedwait(condition.memory.address, mutex.memory.address, &time)
}
@discardableResult public func pthread_cond_timedwait(
    _ condition: PosixLockPointer<PosixCondition>, _ mutex: PosixLockPointer<PosixMutex>, _ time: inout timespec
) -> Int32 {
    Glibc.pthread_cond_timedwait(condition.pointee.memory.address, mutex.pointee.memory.address, &time)
}
