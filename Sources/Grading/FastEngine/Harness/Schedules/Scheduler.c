// Whose turn it is. One thread of the scheduler's runs at a time; it gives its turn on where it waits, ends or is interrupted.
#define _GNU_SOURCE
#include "Scheduler.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__thread struct Thread *current;
_Atomic bool isExploring, isInterrupting;
struct Thread threads[mostThreads];
uint32_t threadCount;
struct Event events[mostEvents];
uint32_t eventCount;

/// Counts the tries. A thread of an earlier one never goes on.
static _Atomic uint32_t tryNumber;
static __thread uint32_t tryOfCurrent;
/// The thread whose turn it is; none while it is the controller's.
static struct Thread *_Atomic running;
static struct Worker controller, mainWorker;
static struct Worker *idleWorkers;
static _Atomic int lock;
static struct Worker *toWake[2];
static uint64_t readyCount;
static uint32_t firstAlive;
static _Atomic uint32_t steps;
/// How often a turn was given.
static uint32_t turns;
static uint32_t stepsSinceSwitch;
static const struct Plan *plan;
static uint32_t taken;
static bool isFirst, hasBodyEnded, hasBodyFailed, hasOutside, isFull, isEndless;
static struct { void (*call)(void *); void *context; } quietCalls[8];
static uint32_t quietCallCount;
static int processor = -1;
enum { mostLostWorkers = 40 };
static uint32_t lostWorkers;
/// A thread that the scheduler does not run may have been woken.
static bool isAnyWoken;

// MARK: The system

static long systemCall(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
#endif
}

void sleepUntilChanged(_Atomic uint32_t *word, uint32_t value, uint64_t nanoseconds) {
    struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    systemCall(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, value, nanoseconds ? (long)&time : 0, 0, 0);
}
void wakeAll(_Atomic uint32_t *word) { systemCall(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, 1 << 20, 0, 0, 0); }

static void sleepOn(_Atomic uint32_t *word, uint64_t nanoseconds) { sleepUntilChanged(word, 0, nanoseconds); }

/// With the lock held: it is woken when the lock is free, which is the first thing that it needs.
static void giveTurn(struct Worker *worker) {
    atomic_store(&worker->turn, 1);
    if (toWake[0] && toWake[0] != worker) toWake[1] = worker;
    else toWake[0] = worker;
}

static void awaitTurn(struct Worker *worker) {
    while (!atomic_exchange(&worker->turn, 0)) sleepOn(&worker->turn, 0);
}

static uint64_t timeOf(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return nanoseconds(&time);
}

uint64_t now(void) { return timeOf(CLOCK_MONOTONIC); }

uint64_t momentOf(clockid_t clock, uint64_t end) {
    uint64_t start = timeOf(clock);
    return now() + (end > start ? end - start : 0) + 1;
}

void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

void lockScheduler(void) {
    while (atomic_exchange_explicit(&lock, 1, memory_order_acquire)) systemCall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}
void unlockScheduler(void) {
    struct Worker *woken[2] = {toWake[0], toWake[1]};
    toWake[0] = toWake[1] = NULL;
    atomic_store_explicit(&lock, 0, memory_order_release);
    for (int index = 0; index < 2; index++) {
        if (woken[index]) systemCall(SYS_futex, (long)&woken[index]->turn, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
    }
}

/// A word that is never woken.
static _Atomic uint32_t never;

/// Threads that hand on a turn are quick on one processor, and slow on two of a busy machine.
static void keepOn(int number) {
    uint64_t set[16] = {0};
    if (number >= 0) set[number / 64 % 16] = 1ull << (number % 64);
    else memset(set, 0xFF, sizeof set);
    systemCall(SYS_sched_setaffinity, 0, sizeof set, (long)set, 0, 0, 0);
}

// MARK: Threads

void prepareWorker(struct Worker *worker) {
    worker->number = (int)systemCall(SYS_gettid, 0, 0, 0, 0, 0, 0);
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes)) return;
    void *start;
    size_t size;
    if (!pthread_attr_getstack(&attributes, &start, &size)) {
        worker->stackStart = (uintptr_t)start;
        worker->stackEnd = (uintptr_t)start + size;
    }
    pthread_attr_destroy(&attributes);
}

static void runAsThread(struct Thread *thread) {
    current = thread;
    tryOfCurrent = tryNumber;
    thread->run(thread->context);
    current = NULL;
    endThread(thread);
}

/// A thread that the explored code has made itself.
void *runCreatedThread(struct Thread *thread, struct Worker *worker, void *(*run)(void *), void *argument) {
    uint32_t number = tryNumber;
    awaitTurn(worker);
    keepOn(processor);
    current = thread;
    tryOfCurrent = number;
    void *result = run(argument);
    if (!current) return result;
    current = NULL;
    endThread(thread);
    return result;
}

static void *workerMain(void *argument) {
    struct Worker *worker = argument;
    prepareWorker(worker);
    int keptOn = -1;
    while (true) {
        awaitTurn(worker);
        if (keptOn != processor) keepOn(keptOn = processor);
        runAsThread(worker->thread);
    }
    return NULL;
}

static struct Worker *takeWorker(void) {
    struct Worker *worker = idleWorkers;
    if (worker) {
        idleWorkers = worker->nextIdle;
        return worker;
    }
    static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!create) *(void **)&create = next("pthread_create");
    worker = calloc(1, sizeof *worker);
    worker->isPooled = true;
    pthread_t thread;
    if (create(&thread, NULL, workerMain, worker)) return NULL;
    return worker;
}

/// Whether some of the threads up to a number have work of the queue that has to end first.
static bool hasEarlierWork(const void *queue, bool isBarrier, uint32_t number) {
    for (uint32_t index = firstAlive; index < number; index++) {
        const struct Thread *other = &threads[index];
        if (other->state != stateEnded && other->queue == queue && (isBarrier || other->isBarrier)) return true;
    }
    return false;
}

/// Whether it may go on: what runs on the main thread or on a queue waits for what came there before.
static bool mayGo(struct Thread *thread) {
    if (thread->state != stateReady) return false;
    if (thread->queue) return !hasEarlierWork(thread->queue, thread->isBarrier, thread->number);
    for (uint32_t index = firstAlive; thread->isOnMainThread && index < thread->number; index++) {
        if (threads[index].isOnMainThread && threads[index].state != stateEnded) return false;
    }
    return true;
}

void awaitEarlierWork(const void *queue, bool isBarrier) {
    uint32_t number = threadCount;
    // Dispatch itself says what is wrong with work that waits for its own queue.
    while (current->queue != queue && hasEarlierWork(queue, isBarrier, number)) waitOn(queue, schedules_onQueue, 0);
}

static struct Thread *oldestBut(const struct Thread *excluded) {
    struct Thread *oldest = NULL;
    while (firstAlive < threadCount && threads[firstAlive].state == stateEnded) firstAlive++;
    for (uint32_t index = firstAlive; index < threadCount; index++) {
        struct Thread *thread = &threads[index];
        if (thread != excluded && mayGo(thread) && (!oldest || thread->readySince < oldest->readySince)) oldest = thread;
    }
    return oldest;
}

void makeReady(struct Thread *thread) {
    thread->state = stateReady;
    thread->readySince = ++readyCount;
    // The controller looks again. A thread that has the turn keeps it.
    if (!atomic_load(&running)) giveTurn(&controller);
}

static struct Thread *addThread(void (*run)(void *), void *context, uint64_t deadline) {
    lockScheduler();
    if (threadCount == mostThreads) {
        isFull = true;
        unlockScheduler();
        return NULL;
    }
    struct Thread *thread = &threads[threadCount];
    memset(thread, 0, sizeof *thread);
    thread->number = threadCount++;
    thread->name = current ? mixed(current->name + ++current->started) : mixed(threadCount);
    thread->run = run;
    thread->context = context;
    if (deadline) {
        thread->state = stateWaiting;
        thread->wait = schedules_onSleep;
        thread->deadline = deadline;
        thread->waitsSince = now();
    } else {
        makeReady(thread);
    }
    unlockScheduler();
    return thread;
}

struct Thread *startThread(void (*run)(void *), void *context) { return addThread(run, context, 0); }
struct Thread *startThreadLater(void (*run)(void *), void *context, uint64_t deadline) {
    return addThread(run, context, deadline);
}

static void give(struct Thread *thread) {
    if (!thread->worker) thread->worker = thread->isOnMainThread ? &mainWorker : takeWorker();
    stepsSinceSwitch = 0;
    turns++;
    if (!thread->worker) {
        isFull = true;
        atomic_store(&running, NULL);
        return giveTurn(&controller);
    }
    thread->state = stateRunning;
    thread->worker->thread = thread;
    atomic_store(&running, thread);
    giveTurn(thread->worker);
}

static void giveToController(void) {
    atomic_store(&running, NULL);
    giveTurn(&controller);
}

// MARK: Order

/// Whether it sleeps for so short a time that it may as well have woken: it looks again and again for something.
static bool mayWake(const struct Thread *thread) {
    return thread->state == stateWaiting && thread->wait == schedules_onSleep && thread->deadline
        && thread->deadline - thread->waitsSince <= 50000000;
}

/// The thread that the plan wants to go on here; none where it wants nothing, or where that cannot be.
static struct Thread *planned(struct Thread *thread) {
    if (!plan || taken == plan->count) return NULL;
    const struct Decision *decision = &plan->decisions[taken];
    if (decision->thread != thread->number || decision->step != thread->steps) return NULL;
    taken++;
    struct Thread *other = decision->other < threadCount ? &threads[decision->other] : NULL;
    if (other && mayWake(other)) {
        other->isTimedOut = true;
        makeReady(other);
    }
    if (other && mayGo(other)) return other;
    return NULL;
}

static void record(
    struct Thread *thread, uint8_t kind, const void *address, struct Places places, const struct Thread *chosen
) {
    if (eventCount == mostEvents) return;
    struct Event *event = &events[eventCount++];
    *event = (struct Event){.thread = thread->number, .step = thread->steps, .kind = kind, .address = (uintptr_t)address,
                            .places = places};
    for (uint32_t index = firstAlive; index < threadCount && event->alternatives < mostAlternatives; index++) {
        struct Thread *other = &threads[index];
        if (other != thread && other != chosen && (mayGo(other) || mayWake(other))) event->others[event->alternatives++] = index;
    }
}

/// Another thread goes on; this one waits or has ended. With the lock held.
static void passOn(struct Thread *thread, uint8_t kind) {
    struct Thread *other = oldestBut(thread);
    if (isInterrupting) {
        // Which thread goes first is free.
        if (isFirst) kind = eventBegun;
        else thread->steps++;
        isFirst = false;
        record(thread, kind, NULL, thread->waitPlaces, other);
        struct Thread *wanted = planned(thread);
        if (wanted) other = wanted;
    }
    if (other) give(other);
    else giveToController();
}

/// A thread that was taken for one that waits outside of the scheduler has come back. With the lock held.
static void takeTurnBack(struct Thread *thread) {
    if (tryOfCurrent != tryNumber) {
        unlockScheduler();
        while (true) sleepOn(&never, 0);
    }
    struct Worker *worker = thread->worker;
    while (atomic_load(&running) != thread) {
        makeReady(thread);
        unlockScheduler();
        awaitTurn(worker);
        lockScheduler();
    }
}

/// A thread that must not go on in this try.
static void park(struct Thread *thread) {
    thread->state = stateOutside;
    giveToController();
    unlockScheduler();
    while (true) sleepOn(&never, 0);
}

/// Counts steps. Code that takes too many has no end. With the lock held.
static void count(struct Thread *thread, uint32_t taken) {
    if (atomic_fetch_add(&steps, taken) <= mostSteps) return;
    isEndless = true;
    park(thread);
}

/// Gives the turn to another thread, if there is one, and returns when this one has it again. Lets go of the lock.
static void goOnAfter(struct Thread *thread, struct Thread *other) {
    struct Worker *worker = thread->worker;
    if (other) {
        thread->state = stateReady;
        thread->readySince = ++readyCount;
        give(other);
    }
    unlockScheduler();
    if (other) awaitTurn(worker);
}

void passPoint(uint32_t kind, const void *address, struct Places places) {
    struct Thread *thread = current;
    if (!thread || thread->quiet || !isInterrupting) return;
    lockScheduler();
    takeTurnBack(thread);
    thread->steps++;
    count(thread, 1);
    record(thread, kind, address, places, NULL);
    struct Thread *other = planned(thread);
    // Code that waits in a loop for another thread must let it go on.
    if (!other && ++stepsSinceSwitch > 3000) other = oldestBut(thread);
    goOnAfter(thread, other);
}

void giveTurnAway(void) {
    struct Thread *thread = current;
    if (!thread) return;
    lockScheduler();
    takeTurnBack(thread);
    count(thread, stepsOfTurn);
    goOnAfter(thread, oldestBut(thread));
}

bool waitOn(const void *address, enum SchedulesWait wait, uint64_t deadline) {
    struct Thread *thread = current;
    // Once the turn is given, the try may end, and the thread be another one of the next.
    struct Worker *worker = thread->worker;
    thread->waitPlaces = findPlaces(thread);
    lockScheduler();
    takeTurnBack(thread);
    thread->state = stateWaiting;
    thread->address = address;
    thread->wait = wait;
    // What Dispatch waits with is not the answer's, and has no frames that lead to it.
    if (wait == schedules_onOther && thread->queuePlaces.at[0]) {
        thread->waitPlaces = thread->queuePlaces;
        thread->wait = schedules_onQueue;
    }
    thread->deadline = deadline;
    thread->waitsSince = deadline ? now() : 0;
    thread->isTimedOut = false;
    thread->pending.size = 0;
    passOn(thread, eventBlocked);
    unlockScheduler();
    awaitTurn(worker);
    if (!worker->hasLeft) return true;
    current = NULL;
    keepOn(-1);
    return false;
}

/// With the lock held.
static uint32_t wakeWaiters(const void *address, uint32_t count) {
    uint32_t woken = 0;
    while (woken < count) {
        struct Thread *first = NULL;
        for (uint32_t index = firstAlive; index < threadCount; index++) {
            struct Thread *thread = &threads[index];
            if (thread->state == stateWaiting && thread->address == address
                && (!first || thread->readySince < first->readySince)) {
                first = thread;
            }
        }
        if (!first) break;
        first->address = NULL;
        makeReady(first);
        woken++;
    }
    return woken;
}

uint32_t wake(const void *address, uint32_t count) {
    if (!isExploring) return 0;
    lockScheduler();
    uint32_t woken = wakeWaiters(address, count);
    unlockScheduler();
    return woken;
}

uint32_t wakeAny(const void *address, uint32_t count) {
    uint32_t woken = wake(address, count);
    if (woken < count && current) isAnyWoken = true;
    return woken;
}

void endThread(struct Thread *thread) {
    lockScheduler();
    takeTurnBack(thread);
    thread->state = stateEnded;
    thread->pending.size = 0;
    if (thread->worker->isPooled) {
        thread->worker->nextIdle = idleWorkers;
        idleWorkers = thread->worker;
    }
    wakeWaiters(thread, UINT32_MAX);
    if (thread->queue) wakeWaiters(thread->queue, UINT32_MAX);
    passOn(thread, eventEnded);
    unlockScheduler();
}

void noteOutside(void) { hasOutside = true; }

// MARK: The main thread

struct OnMainThread { struct Thread *thread; uint32_t number; };

static void runOnMainThread(void *argument) {
    struct OnMainThread own = *(struct OnMainThread *)argument;
    free(argument);
    if (!mainWorker.number) prepareWorker(&mainWorker);
    while (own.number == tryNumber) {
        if (!atomic_exchange(&mainWorker.turn, 0)) sleepOn(&mainWorker.turn, 0);
        else if (mainWorker.thread == own.thread && own.number == tryNumber) return runAsThread(own.thread);
    }
}

struct Thread *startOnMainThread(void (*run)(void *), void *context) {
    struct Thread *thread = startThread(run, context);
    if (!thread) return NULL;
    lockScheduler();
    thread->isOnMainThread = true;
    unlockScheduler();
    struct OnMainThread *own = malloc(sizeof *own);
    *own = (struct OnMainThread){thread, tryNumber};
    queueOnMain(own, runOnMainThread);
    return thread;
}

// MARK: A try

/// Whether the system says that a thread sleeps.
static bool isAsleep(int number) {
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", number);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    long count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return false;
    text[count] = 0;
    char *end = strrchr(text, ')');
    return end && end[1] == ' ' && end[2] == 'S';
}

/// Waits for its turn. A thread that sleeps where the scheduler does not see it is left to itself meanwhile, and one that
/// computes for a second without passing a point has no end.
static void awaitController(void) {
    uint32_t last = UINT32_MAX, asleep = 0, looks = 0;
    while (!atomic_exchange(&controller.turn, 0)) {
        sleepOn(&controller.turn, 5000000);
        struct Thread *thread = atomic_load(&running);
        if (!thread || controller.turn) continue;
        uint32_t seen = atomic_load(&steps);
        if (seen != last) {
            last = seen;
            asleep = looks = 0;
            continue;
        }
        looks++;
        int number = thread->worker->number;
        asleep = number && isAsleep(number) ? asleep + 1 : 0;
        if (asleep < 2 && looks < 1000) continue;
        lockScheduler();
        if (atomic_load(&running) == thread && atomic_load(&steps) == seen) {
            if (asleep < 2) isEndless = true;
            hasOutside = true;
            thread->state = stateOutside;
            atomic_store(&running, NULL);
            unlockScheduler();
            return;
        }
        unlockScheduler();
    }
}

/// What waits until some time waits no longer.
static bool fireTimer(void) {
    struct Thread *first = NULL;
    for (uint32_t index = firstAlive; index < threadCount; index++) {
        struct Thread *thread = &threads[index];
        if (thread->state == stateWaiting && thread->deadline && (!first || thread->deadline < first->deadline)) first = thread;
    }
    if (!first) return false;
    first->isTimedOut = true;
    makeReady(first);
    return true;
}

static bool hasReady(void) {
    lockScheduler();
    bool isReady = oldestBut(NULL) != NULL;
    unlockScheduler();
    return isReady;
}

/// Gives what is outside of the scheduler a moment.
static void pauseController(void) {
    sleepOn(&controller.turn, 1000000);
    atomic_store(&controller.turn, 0);
}

static bool waitsForLock(const struct Thread *thread) {
    return thread->state == stateWaiting && thread->wait == schedules_onLock;
}
static bool isOutside(const struct Thread *thread) { return thread->state == stateOutside; }

static bool hasAny(bool (*isWanted)(const struct Thread *)) {
    bool isFound = false;
    lockScheduler();
    for (uint32_t index = firstAlive; index < threadCount; index++) isFound |= isWanted(&threads[index]);
    unlockScheduler();
    return isFound;
}

/// Whether a thread waits for a lock. Threads outside of the scheduler get the time to let go of it, and it looks again.
static bool awaitLocks(void) {
    if (!hasAny(waitsForLock)) return false;
    pauseController();
    lockScheduler();
    for (uint32_t index = firstAlive; index < threadCount; index++) {
        if (waitsForLock(&threads[index])) makeReady(&threads[index]);
    }
    unlockScheduler();
    return true;
}

/// Whether a thread sleeps where the scheduler does not see it. It gets the time to come back.
static bool awaitOutside(void) {
    if (!hasAny(isOutside)) return false;
    pauseController();
    return true;
}

static bool isOutsideOver(void) {
    for (uint32_t look = 0; look < 30; look++) {
        if (hasReady()) return false;
        pauseController();
    }
    return !hasReady();
}

static enum SchedulesResult control(const struct SchedulesBody *body) {
    uint32_t timers = 0, timersAt = 0, lockLooks = 0, outsideLooks = 0, awakeLooks = 0;
    while (true) {
        lockScheduler();
        if (isEndless || isFull) {
            unlockScheduler();
            return isEndless ? schedules_endless : schedules_undecided;
        }
        struct Thread *thread = atomic_load(&running) ? NULL : oldestBut(NULL);
        if (thread) give(thread);
        bool isRunning = atomic_load(&running) != NULL;
        unlockScheduler();
        if (isRunning) {
            awaitController();
            continue;
        }
        // Nothing is quiet while a thread is only held up by what is outside.
        if (outsideLooks < 2000 && awaitOutside()) {
            outsideLooks++;
            continue;
        }
        if (lockLooks < 100 && awaitLocks()) {
            lockLooks++;
            continue;
        }
        if (isAnyWoken && awakeLooks < 2000 && !body->isAsleep()) {
            if (++awakeLooks == 2000) hasOutside = true;
            pauseController();
            continue;
        }
        isAnyWoken = false;
        // What is outside may have made something ready since.
        if (hasReady()) continue;
        if (hasBodyEnded && hasBodyFailed) return hasOutside ? schedules_undecided : schedules_failed;
        if (hasBodyEnded) return schedules_passed;
        if (quietCallCount) {
            quietCallCount--;
            quietCalls[quietCallCount].call(quietCalls[quietCallCount].context);
            continue;
        }
        lockScheduler();
        // What only ever sleeps and looks again does not go on.
        if (timersAt != threadCount) timers = 0;
        timersAt = threadCount;
        bool hasFired = timers++ < 100 && fireTimer();
        unlockScheduler();
        if (hasFired) continue;
        if (hasOutside && !isOutsideOver()) continue;
        if (body->isWoken(body->context) || hasReady()) continue;
        return hasOutside ? schedules_undecided : schedules_stuck;
    }
}

/// What the main thread was to run in a try that is over it does not run any more.
static void leaveMainThread(void) {
    for (uint32_t index = 0; index < threadCount; index++) {
        if (!threads[index].isOnMainThread || threads[index].state != stateReady) continue;
        lockScheduler();
        giveTurn(&mainWorker);
        return unlockScheduler();
    }
}

/// A thread that the explored code has made, and that waits for what others do, may be there for all tries: it leaves the
/// scheduler, and goes on to wait by itself.
static void leaveWaitingThreads(const struct SchedulesBody *body) {
    bool hasLeft = false;
    for (uint32_t index = 0; index < threadCount; index++) {
        struct Thread *thread = &threads[index];
        bool waits = thread->wait == schedules_onCondition || thread->wait == schedules_onSemaphore
            || thread->wait == schedules_onOther;
        if (thread->state != stateWaiting || !waits || thread->worker->isPooled || thread->worker == &mainWorker) continue;
        lockScheduler();
        thread->worker->hasLeft = hasLeft = true;
        giveTurn(thread->worker);
        unlockScheduler();
    }
    // What the next try does may be what it waits for.
    for (uint32_t looks = 0; hasLeft && looks < 200 && !body->isAsleep(); looks++) pauseController();
}

enum SchedulesResult runTry(const struct SchedulesBody *body, const struct Plan *wanted) {
    for (uint32_t index = 0; index < threadCount; index++) {
        struct Thread *thread = &threads[index];
        if (thread->state != stateEnded && thread->worker) lostWorkers++;
    }
    threadCount = firstAlive = eventCount = taken = quietCallCount = stepsSinceSwitch = 0;
    steps = 0;
    readyCount = 0;
    turns++;
    hasBodyEnded = hasBodyFailed = hasOutside = isFull = isEndless = false;
    plan = wanted;
    isInterrupting = false;
    atomic_store(&running, NULL);
    beginAccessesOfTry();
    if (lostWorkers > mostLostWorkers) return schedules_undecided;
    isExploring = true;
    startThread(body->begin, body->context);
    enum SchedulesResult result = control(body);
    isInterrupting = false;
    isExploring = false;
    tryNumber++;
    leaveMainThread();
    leaveWaitingThreads(body);
    dropRacesOnLocks();
    return hasRace && result != schedules_endless ? schedules_dataRace : result;
}

uint32_t decisionsTaken(void) { return taken; }

void beginExploring(void) {
    static int (*processorNow)(void);
    if (!processorNow) *(void **)&processorNow = next("sched_getcpu");
    processor = processorNow ? processorNow() : -1;
    keepOn(processor);
    prepareWorker(&controller);
}

void endExploring(void) { keepOn(-1); }

// MARK: What the body calls

exported bool schedules_isManaged(void) { return current != NULL; }
exported bool schedules_isExploring(void) { return isExploring; }
exported void schedules_start(void (*run)(void *), void *context) {
    startThread(run, context);
    passPoint(schedules_starts, NULL, current ? findPlaces(current) : (struct Places){{0}});
}
exported void schedules_whenQuiet(void (*call)(void *), void *context) {
    lockScheduler();
    if (quietCallCount < 8) {
        quietCalls[quietCallCount].call = call;
        quietCalls[quietCallCount++].context = context;
    } else {
        isFull = true;
    }
    unlockScheduler();
}
exported void schedules_interrupt(bool isOn) {
    isFirst = isOn;
    isInterrupting = isOn;
}
exported void schedules_keepTurn(bool isOn) {
    if (current) current->quiet += isOn ? 1 : -1;
}
exported void schedules_pause(void) {
    passPoint(schedules_calls, NULL, (struct Places){{(uintptr_t)__builtin_return_address(0)}});
}
exported void schedules_end(bool hasFailed) {
    hasBodyEnded = true;
    hasBodyFailed = hasFailed;
    isInterrupting = false;
}

exported void schedules_startLater(void (*run)(void *), void *context, uint64_t nanoseconds) {
    startThreadLater(run, context, now() + nanoseconds + 1);
}
