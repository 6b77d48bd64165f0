// Functions that stand in place of the C library's: what threads wait with. A thread of the scheduler's gives its turn on where
// it would sleep; for all other threads they do what they always do.
#define _GNU_SOURCE
#include "Scheduler.h"
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
// Declared by hand, as the functions here have those names.
typedef union { char room[64]; } Semaphore;

void passLock(enum SchedulesStep kind, const void *address) {
    struct Thread *thread = current;
    if (!thread) return;
    // A suite's own records show in which order calls came.
    if (isInterrupting && thread->quiet) touch(thread, (uintptr_t)address, true, kind);
    if (thread->quiet) return;
    noteLock(thread);
    if (!isInterrupting) return;
    struct Places places = findPlaces(thread);
    if (!places.at[0]) return;
    touch(thread, (uintptr_t)address, true, places.at[0]);
    passPoint(kind, address, places);
}

static uint64_t moment(clockid_t clock, const struct timespec *time) { return momentOf(clock, nanoseconds(time)); }

// MARK: Locks

real(int, pthread_mutex_lock, pthread_mutex_t *)
real(int, pthread_mutex_trylock, pthread_mutex_t *)
real(int, pthread_mutex_unlock, pthread_mutex_t *)
real(int, pthread_rwlock_rdlock, pthread_rwlock_t *)
real(int, pthread_rwlock_wrlock, pthread_rwlock_t *)
real(int, pthread_rwlock_tryrdlock, pthread_rwlock_t *)
real(int, pthread_rwlock_trywrlock, pthread_rwlock_t *)
real(int, pthread_rwlock_unlock, pthread_rwlock_t *)

static int take(pthread_mutex_t *mutex) {
    find_pthread_mutex_trylock();
    int result;
    while ((result = real_pthread_mutex_trylock(mutex)) == EBUSY) waitOn(mutex, schedules_onLock, 0);
    noteTaken(current, mutex);
    return result;
}
static int release(pthread_mutex_t *mutex) {
    find_pthread_mutex_unlock();
    int result = real_pthread_mutex_unlock(mutex);
    if (managed()) noteGiven(current, mutex);
    if (isExploring) wake(mutex, UINT32_MAX);
    return result;
}

exported int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (!managed()) {
        find_pthread_mutex_lock();
        return real_pthread_mutex_lock(mutex);
    }
    passLock(schedules_locks, mutex);
    return take(mutex);
}
exported int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    find_pthread_mutex_trylock();
    if (managed()) passLock(schedules_locks, mutex);
    int result = real_pthread_mutex_trylock(mutex);
    if (managed() && !result) noteTaken(current, mutex);
    return result;
}
exported int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    int result = release(mutex);
    if (managed()) passLock(schedules_unlocks, mutex);
    return result;
}

exported int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    find_pthread_rwlock_rdlock();
    if (!managed()) return real_pthread_rwlock_rdlock(lock);
    find_pthread_rwlock_tryrdlock();
    passLock(schedules_locks, lock);
    int result;
    while ((result = real_pthread_rwlock_tryrdlock(lock)) == EBUSY) waitOn(lock, schedules_onLock, 0);
    noteTaken(current, lock);
    return result;
}
exported int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    find_pthread_rwlock_wrlock();
    if (!managed()) return real_pthread_rwlock_wrlock(lock);
    find_pthread_rwlock_trywrlock();
    passLock(schedules_locks, lock);
    int result;
    while ((result = real_pthread_rwlock_trywrlock(lock)) == EBUSY) waitOn(lock, schedules_onLock, 0);
    noteTaken(current, lock);
    return result;
}
exported int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    find_pthread_rwlock_unlock();
    int result = real_pthread_rwlock_unlock(lock);
    if (managed()) noteGiven(current, lock);
    if (isExploring) wake(lock, UINT32_MAX);
    if (managed()) passLock(schedules_unlocks, lock);
    return result;
}

// MARK: Conditions

real(int, pthread_cond_wait, pthread_cond_t *, pthread_mutex_t *)
real(int, pthread_cond_timedwait, pthread_cond_t *, pthread_mutex_t *, const struct timespec *)
real(int, pthread_cond_clockwait, pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *)
real(int, pthread_cond_signal, pthread_cond_t *)
real(int, pthread_cond_broadcast, pthread_cond_t *)

/// Nothing but a signal ends the wait: a wake-up without one would hide one that is lost.
///
/// A thread that has left the scheduler looks again: what it waits for may have come before it could wait by itself.
static int await(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline) {
    struct Thread *thread = current;
    release(mutex);
    if (!waitOn(condition, schedules_onCondition, deadline)) {
        find_pthread_mutex_lock();
        return real_pthread_mutex_lock(mutex);
    }
    bool isTimedOut = thread->isTimedOut;
    take(mutex);
    return isTimedOut ? ETIMEDOUT : 0;
}

exported int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    find_pthread_cond_wait();
    return managed() ? await(condition, mutex, 0) : real_pthread_cond_wait(condition, mutex);
}
exported int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
    find_pthread_cond_timedwait();
    uint64_t end = moment(CLOCK_REALTIME, time);
    if (!managed()) return until(end, real_pthread_cond_timedwait(condition, mutex, time));
    return await(condition, mutex, end);
}
exported int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time
) {
    find_pthread_cond_clockwait();
    uint64_t end = moment(clock, time);
    if (!managed()) return until(end, real_pthread_cond_clockwait(condition, mutex, clock, time));
    return await(condition, mutex, end);
}
exported int pthread_cond_signal(pthread_cond_t *condition) {
    find_pthread_cond_signal();
    if (isExploring && wakeAny(condition, 1)) return 0;
    return real_pthread_cond_signal(condition);
}
exported int pthread_cond_broadcast(pthread_cond_t *condition) {
    find_pthread_cond_broadcast();
    if (isExploring) wakeAny(condition, UINT32_MAX);
    return real_pthread_cond_broadcast(condition);
}

// MARK: Semaphores

real(int, sem_wait, Semaphore *)
real(int, sem_trywait, Semaphore *)
real(int, sem_timedwait, Semaphore *, const struct timespec *)
real(int, sem_clockwait, Semaphore *, clockid_t, const struct timespec *)
real(int, sem_post, Semaphore *)

/// Returns whether the wait is over: where the thread has left the scheduler, it goes on to wait.
static bool awaitSemaphore(Semaphore *semaphore, uint64_t deadline, int *result) {
    struct Thread *thread = current;
    find_sem_trywait();
    passLock(schedules_locks, semaphore);
    while ((*result = real_sem_trywait(semaphore))) {
        if (errno != EAGAIN) return true;
        if (!waitOn(semaphore, schedules_onSemaphore, deadline)) return false;
        if (!thread->isTimedOut) continue;
        *result = real_sem_trywait(semaphore);
        if (*result) errno = ETIMEDOUT;
        return true;
    }
    return true;
}

exported int sem_wait(Semaphore *semaphore) {
    find_sem_wait();
    int result;
    if (managed() && awaitSemaphore(semaphore, 0, &result)) return result;
    return real_sem_wait(semaphore);
}
exported int sem_timedwait(Semaphore *semaphore, const struct timespec *time) {
    find_sem_timedwait();
    uint64_t end = moment(CLOCK_REALTIME, time);
    int result;
    if (managed() && awaitSemaphore(semaphore, end, &result)) return result;
    return until(end, real_sem_timedwait(semaphore, time));
}
exported int sem_clockwait(Semaphore *semaphore, clockid_t clock, const struct timespec *time) {
    find_sem_clockwait();
    uint64_t end = moment(clock, time);
    int result;
    if (managed() && awaitSemaphore(semaphore, end, &result)) return result;
    return until(end, real_sem_clockwait(semaphore, clock, time));
}
exported int sem_post(Semaphore *semaphore) {
    find_sem_post();
    int result = real_sem_post(semaphore);
    if (isExploring) wakeAny(semaphore, 1);
    if (managed()) passLock(schedules_unlocks, semaphore);
    return result;
}

// MARK: Futexes

real(long, syscall, long, long, long, long, long, long, long)

/// No error of the system's: the thread has left the scheduler.
enum { hasLeft = -1 };

static int awaitFutex(_Atomic uint32_t *word, uint32_t value, uint64_t deadline) {
    struct Thread *thread = current;
    if (atomic_load(word) != value) return EAGAIN;
    if (!waitOn(word, schedules_onOther, deadline)) return hasLeft;
    return thread->isTimedOut ? ETIMEDOUT : 0;
}

/// As the kernel keeps such locks: the owner's number, and a bit if a thread waits.
static void takeFutex(_Atomic uint32_t *word, uint32_t number) {
    while (true) {
        uint32_t value = atomic_load(word);
        if (!(value & FUTEX_TID_MASK)) {
            atomic_store(word, number | (value & FUTEX_WAITERS));
            noteTaken(current, word);
            return;
        }
        atomic_store(word, value | FUTEX_WAITERS);
        waitOn(word, schedules_onLock, 0);
    }
}

static int tryFutex(_Atomic uint32_t *word, uint32_t number) {
    uint32_t value = atomic_load(word);
    if (value & FUTEX_TID_MASK) return EWOULDBLOCK;
    atomic_store(word, number | value);
    return 0;
}

static int letGoOfFutex(_Atomic uint32_t *word) {
    atomic_store(word, 0);
    noteGiven(current, word);
    wake(word, UINT32_MAX);
    return 0;
}

exported long syscall(long number, long a, long b, long c, long d, long e, long f) {
    find_syscall();
    if (__builtin_expect(number != SYS_futex, 1)) return real_syscall(number, a, b, c, d, e, f);
    _Atomic uint32_t *word = (_Atomic uint32_t *)a;
    int call = (int)b & FUTEX_CMD_MASK;
    const struct timespec *time = (const struct timespec *)d;
    uint64_t end = 0;
    if (call == FUTEX_WAIT && time) end = now() + nanoseconds(time) + 1;
    if (call == FUTEX_WAIT_BITSET && time) end = moment(b & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
    if (!managed()) {
        if (end) return until(end, real_syscall(number, a, b, c, d, e, f));
        long result = real_syscall(number, a, b, c, d, e, f);
        if (isExploring && (call == FUTEX_WAKE || call == FUTEX_WAKE_BITSET || call == FUTEX_UNLOCK_PI)) {
            wake(word, call == FUTEX_UNLOCK_PI ? UINT32_MAX : (uint32_t)c);
        }
        return result;
    }
    int failure = 0;
    switch (call) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: failure = awaitFutex(word, (uint32_t)c, end); break;
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: {
        uint32_t woken = wakeAny(word, (uint32_t)c);
        passLock(schedules_unlocks, word);
        return woken < (uint32_t)c ? woken + real_syscall(number, a, b, c - woken, d, e, f) : woken;
    }
    case FUTEX_LOCK_PI:
    case 13 /* FUTEX_LOCK_PI2 */: takeFutex(word, (uint32_t)current->worker->number); break;
    case FUTEX_TRYLOCK_PI: failure = tryFutex(word, (uint32_t)current->worker->number); break;
    case FUTEX_UNLOCK_PI: failure = letGoOfFutex(word); break;
    default: return real_syscall(number, a, b, c, d, e, f);
    }
    if (failure == hasLeft) {
        return end ? until(end, real_syscall(number, a, b, c, d, e, f)) : real_syscall(number, a, b, c, d, e, f);
    }
    if (!failure) return 0;
    errno = failure;
    return -1;
}

/// `Mutex` of Swift's Synchronization, where it does not get its lock at once. The library looks again a thousand times first.
#define mutexLock "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
typedef __attribute__((swiftcall)) void LockSlow(uint32_t number, __attribute__((swift_context)) void *handle);
LockSlow lockSlow __asm__(mutexLock);
exported __attribute__((swiftcall)) void lockSlow(uint32_t number, __attribute__((swift_context)) void *handle) {
    static LockSlow *lock;
    if (!lock) *(void **)&lock = next(mutexLock);
    if (managed()) takeFutex(handle, number);
    else lock(number, handle);
}

// MARK: Sleep

real(int, sched_yield, void)
real(int, usleep, unsigned)
real(unsigned, sleep, unsigned)
real(int, nanosleep, const struct timespec *, struct timespec *)
real(int, clock_nanosleep, clockid_t, int, const struct timespec *, struct timespec *)

static void sleepFor(uint64_t time) { waitOn(NULL, schedules_onSleep, now() + time + 1); }

exported int sched_yield(void) {
    find_sched_yield();
    if (!managed()) return real_sched_yield();
    giveTurnAway();
    return 0;
}
exported int usleep(unsigned microseconds) {
    find_usleep();
    if (!managed()) return until(now() + microseconds * 1000ull, real_usleep(microseconds));
    sleepFor(microseconds * 1000ull);
    return 0;
}
exported unsigned sleep(unsigned seconds) {
    find_sleep();
    if (!managed()) return until(now() + seconds * 1000000000ull, real_sleep(seconds));
    sleepFor(seconds * 1000000000ull);
    return 0;
}
exported int nanosleep(const struct timespec *time, struct timespec *left) {
    find_nanosleep();
    if (!managed()) return until(now() + nanoseconds(time), real_nanosleep(time, left));
    sleepFor(nanoseconds(time));
    return 0;
}
exported int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
    find_clock_nanosleep();
    uint64_t end = flags & TIMER_ABSTIME ? moment(clock, time) : now() + nanoseconds(time) + 1;
    if (!managed()) return until(end, real_clock_nanosleep(clock, flags, time, left));
    waitOn(NULL, schedules_onSleep, end);
    return 0;
}
