// When a thread wakes by itself. Where all threads sleep and no moment comes at which one of them wakes, nothing can happen any
// more: this has to be known, and not waited for. So each wait with an end is noted here, and each timer.
#define _GNU_SOURCE
#include "Scheduler.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>

enum { mostWaits = 512, mostTimers = 256 };

/// The moments at which waits end; 0 where a place is free.
static _Atomic uint64_t waits[mostWaits];
/// How many waits have found no place, and how many timers of another kind there were.
static _Atomic uint32_t unnoted;
/// The timers that are files, by the file's number.
static struct { _Atomic uint64_t moment, interval; } timers[mostTimers];

uint32_t noteWake(uint64_t moment) {
    static _Atomic uint32_t lastPlace;
    uint32_t start = atomic_fetch_add(&lastPlace, 1);
    for (uint32_t index = 0; index < mostWaits; index++) {
        uint32_t place = (start + index) % mostWaits;
        uint64_t free = 0;
        if (atomic_compare_exchange_strong(&waits[place], &free, moment | 1)) return place;
    }
    atomic_fetch_add(&unnoted, 1);
    return mostWaits;
}

void forgetWake(uint32_t place) {
    if (place == mostWaits) atomic_fetch_sub(&unnoted, 1);
    else atomic_store(&waits[place], 0);
}

// MARK: Waits for files

real(int, poll, struct pollfd *, nfds_t, int)
real(int, ppoll, struct pollfd *, nfds_t, const struct timespec *, const sigset_t *)
real(int, epoll_wait, int, struct epoll_event *, int, int)
real(int, epoll_pwait, int, struct epoll_event *, int, int, const sigset_t *)
real(int, select, int, fd_set *, fd_set *, fd_set *, struct timeval *)
real(int, pselect, int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *)

/// Whether the system has woken who waits for the timer: some time may pass between its moment and that.
static bool hasFired(int file) {
    find_poll();
    struct pollfd timer = {.fd = file, .events = POLLIN};
    return real_poll(&timer, 1, 0) != 0;
}

exported uint64_t schedules_nextWake(void) {
    if (atomic_load(&unnoted)) return 0;
    uint64_t time = now(), next = UINT64_MAX;
    for (uint32_t place = 0; place < mostWaits; place++) {
        uint64_t moment = atomic_load(&waits[place]);
        if (!moment) continue;
        if (moment <= time) return 0;
        if (moment - time < next) next = moment - time;
    }
    for (int file = 0; file < mostTimers; file++) {
        uint64_t moment = atomic_load(&timers[file].moment), interval = atomic_load(&timers[file].interval);
        if (moment && moment <= time && !hasFired(file)) return 0;
        if (moment <= time && interval) moment += ((time - moment) / interval + 1) * interval;
        if (moment > time && moment - time < next) next = moment - time;
    }
    return next;
}

static uint64_t inMilliseconds(int count) { return now() + count * 1000000ull; }
static uint64_t after(const struct timespec *time) { return now() + nanoseconds(time); }

exported int poll(struct pollfd *files, nfds_t count, int timeout) {
    find_poll();
    if (timeout <= 0) return real_poll(files, count, timeout);
    return until(inMilliseconds(timeout), real_poll(files, count, timeout));
}
exported int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
    find_ppoll();
    if (!timeout) return real_ppoll(files, count, timeout, mask);
    return until(after(timeout), real_ppoll(files, count, timeout, mask));
}
exported int epoll_wait(int file, struct epoll_event *events, int count, int timeout) {
    find_epoll_wait();
    if (timeout <= 0) return real_epoll_wait(file, events, count, timeout);
    return until(inMilliseconds(timeout), real_epoll_wait(file, events, count, timeout));
}
exported int epoll_pwait(int file, struct epoll_event *events, int count, int timeout, const sigset_t *mask) {
    find_epoll_pwait();
    if (timeout <= 0) return real_epoll_pwait(file, events, count, timeout, mask);
    return until(inMilliseconds(timeout), real_epoll_pwait(file, events, count, timeout, mask));
}
exported int select(int count, fd_set *reading, fd_set *writing, fd_set *others, struct timeval *timeout) {
    find_select();
    if (!timeout) return real_select(count, reading, writing, others, timeout);
    struct timespec time = {timeout->tv_sec, timeout->tv_usec * 1000};
    return until(after(&time), real_select(count, reading, writing, others, timeout));
}
exported int pselect(
    int count, fd_set *reading, fd_set *writing, fd_set *others, const struct timespec *timeout, const sigset_t *mask
) {
    find_pselect();
    if (!timeout) return real_pselect(count, reading, writing, others, timeout, mask);
    return until(after(timeout), real_pselect(count, reading, writing, others, timeout, mask));
}

// MARK: Timers

real(int, timerfd_settime, int, int, const struct itimerspec *, struct itimerspec *)
real(int, timer_settime, timer_t, int, const struct itimerspec *, struct itimerspec *)
real(int, setitimer, __itimer_which_t, const struct itimerval *, struct itimerval *)

exported int timerfd_settime(int file, int flags, const struct itimerspec *new, struct itimerspec *old) {
    find_timerfd_settime();
    int result = real_timerfd_settime(file, flags, new, old);
    struct itimerspec left;
    // The time that is left is the same by every clock.
    if (result || timerfd_gettime(file, &left)) return result;
    if (file >= mostTimers) {
        atomic_fetch_add(&unnoted, 1);
        return result;
    }
    atomic_store(&timers[file].interval, nanoseconds(&left.it_interval));
    atomic_store(&timers[file].moment, nanoseconds(&left.it_value) ? after(&left.it_value) : 0);
    return result;
}
exported int timer_settime(timer_t timer, int flags, const struct itimerspec *new, struct itimerspec *old) {
    find_timer_settime();
    atomic_fetch_add(&unnoted, 1);
    return real_timer_settime(timer, flags, new, old);
}
exported int setitimer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old) {
    find_setitimer();
    atomic_fetch_add(&unnoted, 1);
    return real_setitimer(which, new, old);
}
