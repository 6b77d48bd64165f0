// What the parts of the scheduler share.
#pragma once
#include "Schedules.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#define hidden __attribute__((visibility("hidden")))
#define exported __attribute__((visibility("default"), used))
/// What the scheduler asks of the program that explores.
struct SchedulesBody {
    SchedulesBegin *begin;
    SchedulesIsWoken *isWoken;
    SchedulesIsAsleep *isAsleep;
    void *context;
};

/// One thing that was found: see `schedules_eventWords`.
struct SchedulesEvent {
    uint64_t thread, kind, places[4];
};

#define mostThreads 600
/// Half a second of steps: code that comes to an end takes fewer. A turn that is given away costs as much as this many steps.
#define mostSteps 5000000
#define stepsOfTurn 25
#define mostEvents 16384
#define mostAlternatives 4

/// A thread of the system's that runs threads of the scheduler's, one after the other.
struct Worker {
    _Atomic uint32_t turn;
    struct Thread *thread;
    struct Worker *nextIdle;
    uintptr_t stackStart, stackEnd;
    int number;
    bool isPooled;
    /// The scheduler does not run it any more.
    bool hasLeft;
};

enum State { stateNone, stateReady, stateRunning, stateWaiting, stateOutside, stateEnded };

/// Where in the image, the innermost first, with 0 behind the last.
struct Places { uintptr_t at[4]; };

/// An access that a thread is about to make.
struct Access {
    uintptr_t address, size;
    bool isWrite;
    struct Places places;
};

/// A thread of the scheduler's.
struct Thread {
    uint32_t number;
    /// The same in all orders: made from who has started it, as its how many'th.
    uint64_t name;
    uint32_t started;
    enum State state;
    struct Worker *worker;
    void (*run)(void *);
    void *context;
    /// How many places it has passed at which it could be interrupted.
    uint32_t steps;
    /// Orders those that are ready: the smallest one goes first.
    uint64_t readySince;
    /// What it waits for, and until when; 0 for no end.
    const void *address;
    enum SchedulesWait wait;
    uint64_t deadline, waitsSince;
    bool isTimedOut;
    /// It runs on the main thread, or behind others on its queue: where it is a barrier, and else where they are.
    bool isOnMainThread;
    const void *queue;
    bool isBarrier;
    struct Access pending;
    uint32_t quiet;
    /// The places in the image that it was called from.
    uintptr_t callers[64];
    uint32_t depth;
    /// Accesses that have begun and not ended.
    struct { const void *buffer, *address; } open[16];
    uint32_t openCount;
    /// The locks that it has.
    const void *locks[8];
    uint32_t lockCount;
    /// Where it began to wait.
    struct Places waitPlaces;
    /// Where it has called for work of a queue's that it waits for.
    struct Places queuePlaces;
};

/// The thread of the scheduler's that this thread runs; none elsewhere.
extern hidden __thread struct Thread *current;
extern hidden _Atomic bool isExploring, isInterrupting;

static inline struct Thread *managed(void) { return __builtin_expect(current != NULL, 0) ? current : NULL; }

// Scheduler.c
hidden struct Thread *startThread(void (*run)(void *), void *context);
hidden struct Thread *startThreadLater(void (*run)(void *), void *context, uint64_t deadline);
hidden void makeReady(struct Thread *thread);
hidden void passPoint(uint32_t kind, const void *address, struct Places places);
/// Returns whether the thread is still one of the scheduler's.
hidden bool waitOn(const void *address, enum SchedulesWait wait, uint64_t deadline);
hidden uint32_t wake(const void *address, uint32_t count);
/// The same for what only wakes, and frees nothing: a thread that waits there may be one that the scheduler does not run.
hidden uint32_t wakeAny(const void *address, uint32_t count);
hidden void giveTurnAway(void);
hidden void endThread(struct Thread *thread);
hidden void *runCreatedThread(struct Thread *thread, struct Worker *worker, void *(*run)(void *), void *argument);
hidden void prepareWorker(struct Worker *worker);
hidden void noteOutside(void);
hidden void lockScheduler(void);
hidden void unlockScheduler(void);
hidden uint64_t now(void);
static inline uint64_t nanoseconds(const struct timespec *time) {
    return time ? (uint64_t)time->tv_sec * 1000000000 + time->tv_nsec : 0;
}
/// A moment of any clock, as one of the clock that waits are kept by.
hidden uint64_t momentOf(clockid_t clock, uint64_t end);
hidden void sleepUntilChanged(_Atomic uint32_t *word, uint32_t value, uint64_t nanoseconds);
hidden void wakeAll(_Atomic uint32_t *word);
/// The library's own function of a name that a function here has as well.
hidden void *next(const char *name);
/// Declares `real_name`, the library's own, and `find_name`, which has to be called before.
#define real(result, name, ...) \
    static result (*real_##name)(__VA_ARGS__); \
    static inline void find_##name(void) { \
        if (__builtin_expect(!real_##name, 0)) *(void **)&real_##name = next(#name); \
    }

/// Notes that a thread wakes at this moment by itself, and returns where that was noted.
hidden uint32_t noteWake(uint64_t moment);
hidden void forgetWake(uint32_t place);
/// The result of a call that ends at this moment by itself.
#define until(moment, call) ({ \
        uint32_t place_ = noteWake(moment); \
        __auto_type result_ = (call); \
        forgetWake(place_); \
        result_; \
    })

hidden struct Thread *startOnMainThread(void (*run)(void *), void *context);
/// Returns when what was given to the queue before has ended, but for what may run at the same time.
hidden void awaitEarlierWork(const void *queue, bool isBarrier);
hidden void beginExploring(void);
hidden void endExploring(void);

// Queues.c
/// Has the real main thread call the function.
hidden void queueOnMain(void *context, void (*call)(void *));

// Waits.c
/// A place before or after a lock, if the answer's own code has called for it.
hidden void passLock(enum SchedulesStep kind, const void *address);

// Accesses.c
hidden void beginAccesses(void);
hidden void beginAccessesOfTry(void);
/// Notes that a thread uses an address, which matters once another one does.
hidden void touch(struct Thread *thread, uintptr_t address, bool isWrite, uintptr_t place);
hidden bool isShared(uintptr_t address);
/// A digest of the orders in which what several threads use was used in this try: tries with the same one are alike.
hidden uint64_t orderOfAccesses(void);
hidden uint64_t mixed(uint64_t value);
hidden bool isHot(uintptr_t place);
hidden uint32_t hotPlaces(void);
hidden void noteLock(struct Thread *thread);
/// The thread has a lock, or has it no more.
hidden void noteTaken(struct Thread *thread, const void *lock);
hidden void noteGiven(struct Thread *thread, const void *lock);
hidden bool isOfDispatch(uintptr_t place);
hidden bool isInImage(uintptr_t place);
hidden struct SchedulesEvent told(uint64_t thread, uint64_t kind, struct Places places);
hidden struct Places findPlaces(struct Thread *thread);
extern hidden bool hasRace;
extern hidden struct SchedulesEvent race[2];
/// Forgets races on what has turned out to be a lock.
hidden void dropRacesOnLocks(void);

// Search.c
struct Decision { uint32_t thread, step, other; };
struct Plan {
    struct Decision decisions[3];
    uint32_t count;
    /// Whether its last decision stops a thread right before an access.
    bool isBeforeAccess;
};
/// Something that happened, and who could have gone on instead.
struct Event {
    uint32_t thread, step;
    uint8_t kind, alternatives;
    uint16_t others[mostAlternatives];
    uintptr_t address;
    struct Places places;
};
extern hidden struct Event events[mostEvents];
extern hidden uint32_t eventCount;
hidden enum SchedulesResult runTry(const struct SchedulesBody *body, const struct Plan *plan);
hidden uint32_t decisionsTaken(void);
extern hidden struct Thread threads[mostThreads];
extern hidden uint32_t threadCount;

/// Ends of a thread's run that are no steps of the answer's: someone else has to go on.
enum { eventAtomic = 32, eventBlocked = 100, eventEnded, eventBegun };
