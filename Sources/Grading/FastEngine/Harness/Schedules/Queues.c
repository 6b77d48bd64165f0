// Functions that stand in place of Dispatch's and of the C library's: what begins something that runs at the same time. What a
// thread of the scheduler's begins is a thread of the scheduler's too. It calls the library's own synchronous functions, so the
// library itself keeps apart what a queue keeps apart.
#define _GNU_SOURCE
#include "Scheduler.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void *Queue;
typedef void (*Function)(void *);
struct Block { void *isa; int flags, reserved; void (*invoke)(void *, size_t); };

extern char _dispatch_main_q[], _dispatch_queue_attr_concurrent[];
void dispatch_retain(void *);
void dispatch_release(void *);
void dispatch_group_enter(void *);
void dispatch_group_leave(void *);
const char *dispatch_queue_get_label(Queue);
void *_Block_copy(const void *);
void _Block_release(const void *);

// MARK: Which queues run one thing at a time

enum { mostConcurrent = 64 };
static const void *concurrent[mostConcurrent];
static uint32_t concurrentCount;

static bool isNoted(const void *object) {
    for (uint32_t index = 0; index < mostConcurrent && index < concurrentCount; index++) {
        if (concurrent[index] == object) return true;
    }
    return false;
}
static void note(const void *object, bool isConcurrent) {
    if (isNoted(object) == isConcurrent) return;
    lockScheduler();
    for (uint32_t index = 0; index < mostConcurrent; index++) {
        if (!isConcurrent && concurrent[index] == object) concurrent[index] = NULL;
    }
    if (isConcurrent) concurrent[concurrentCount++ % mostConcurrent] = object;
    unlockScheduler();
}
static bool isOfAll(Queue queue) {
    const char *label = dispatch_queue_get_label(queue);
    return label && !strncmp(label, "com.apple.root.", 15);
}
static bool isConcurrent(Queue queue) { return isNoted(queue) || isOfAll(queue); }

real(void *, dispatch_queue_attr_make_with_qos_class, void *, unsigned, int)
real(void *, dispatch_queue_attr_make_with_autorelease_frequency, void *, unsigned long)
real(void *, dispatch_queue_attr_make_initially_inactive, void *)
real(Queue, dispatch_queue_create, const char *, void *)
real(Queue, dispatch_queue_create_with_target, const char *, void *, Queue)

static void *noted(void *attributes, const void *from) {
    if (from == _dispatch_queue_attr_concurrent || isNoted(from)) note(attributes, true);
    return attributes;
}
exported void *dispatch_queue_attr_make_with_qos_class(void *from, unsigned quality, int priority) {
    find_dispatch_queue_attr_make_with_qos_class();
    return noted(real_dispatch_queue_attr_make_with_qos_class(from, quality, priority), from);
}
exported void *dispatch_queue_attr_make_with_autorelease_frequency(void *from, unsigned long frequency) {
    find_dispatch_queue_attr_make_with_autorelease_frequency();
    return noted(real_dispatch_queue_attr_make_with_autorelease_frequency(from, frequency), from);
}
exported void *dispatch_queue_attr_make_initially_inactive(void *from) {
    find_dispatch_queue_attr_make_initially_inactive();
    return noted(real_dispatch_queue_attr_make_initially_inactive(from), from);
}
static Queue notedQueue(Queue queue, const void *attributes) {
    note(queue, attributes == _dispatch_queue_attr_concurrent || isNoted(attributes));
    return queue;
}
exported Queue dispatch_queue_create(const char *label, void *attributes) {
    find_dispatch_queue_create();
    return notedQueue(real_dispatch_queue_create(label, attributes), attributes);
}
exported Queue dispatch_queue_create_with_target(const char *label, void *attributes, Queue target) {
    find_dispatch_queue_create_with_target();
    return notedQueue(real_dispatch_queue_create_with_target(label, attributes, target), attributes);
}

// MARK: Work that is waited for

real(void, dispatch_sync, Queue, void *)
real(void, dispatch_barrier_sync, Queue, void *)
real(void, dispatch_sync_f, Queue, void *, Function)
real(void, dispatch_barrier_sync_f, Queue, void *, Function)

struct Call { void *block; void *context; Function function; };

static void make(const struct Call *call) {
    if (call->block) ((struct Block *)call->block)->invoke(call->block, 0);
    else call->function(call->context);
}
static void makeCall(void *argument) { make(argument); }

/// Whether the main thread has made the call.
static bool isMadeOnMain(Queue queue, struct Call call) {
    if (queue != (Queue)_dispatch_main_q || current->isOnMainThread) return false;
    struct Thread *thread = startOnMainThread(makeCall, &call);
    while (thread && thread->state != stateEnded) waitOn(thread, schedules_onQueue, 0);
    return thread != NULL;
}

#define synchronous(name, isBarrier_, parameters, arguments, ...) \
    exported void name parameters { \
        find_##name(); \
        if (!managed()) return real_##name arguments; \
        struct Places earlier = current->queuePlaces; \
        current->queuePlaces = findPlaces(current); \
        passLock(schedules_locks, queue); \
        if (!isMadeOnMain(queue, (struct Call){__VA_ARGS__})) { \
            awaitEarlierWork(queue, isBarrier_ || !isConcurrent(queue)); \
            real_##name arguments; \
        } \
        passLock(schedules_unlocks, queue); \
        current->queuePlaces = earlier; \
    }
synchronous(dispatch_sync, false, (Queue queue, void *block), (queue, block), .block = block)
synchronous(dispatch_barrier_sync, true, (Queue queue, void *block), (queue, block), .block = block)
synchronous(dispatch_sync_f, false, (Queue queue, void *context, Function function), (queue, context, function),
            .context = context, .function = function)
synchronous(dispatch_barrier_sync_f, true, (Queue queue, void *context, Function function), (queue, context, function),
            .context = context, .function = function)

real(long, dispatch_group_wait, void *, uint64_t)
exported long dispatch_group_wait(void *group, uint64_t time) {
    find_dispatch_group_wait();
    if (!managed()) return real_dispatch_group_wait(group, time);
    // Inside of a queue's work, it is not the queue that is waited for.
    struct Places earlier = current->queuePlaces;
    current->queuePlaces.at[0] = 0;
    long result = real_dispatch_group_wait(group, time);
    current->queuePlaces = earlier;
    return result;
}

// MARK: Work for a queue

struct Work {
    Queue queue;
    void *block;
    Function function;
    void *context;
    void *group;
    bool isBarrier, waitsForGroup;
    uint64_t deadline;
};

static void doWork(const struct Work *work) {
    find_dispatch_sync();
    find_dispatch_barrier_sync();
    find_dispatch_sync_f();
    find_dispatch_barrier_sync_f();
    if (work->queue == (Queue)_dispatch_main_q) {
        make(&(struct Call){work->block, work->context, work->function});
    } else if (work->block) {
        (work->isBarrier ? real_dispatch_barrier_sync : real_dispatch_sync)(work->queue, work->block);
    } else {
        (work->isBarrier ? real_dispatch_barrier_sync_f : real_dispatch_sync_f)(work->queue, work->context, work->function);
    }
}

static void runWork(void *argument) {
    struct Work work = *(struct Work *)argument;
    free(argument);
    doWork(&work);
    if (work.block) _Block_release(work.block);
    if (work.group && !work.waitsForGroup) dispatch_group_leave(work.group);
    dispatch_release(work.queue);
}

static void startWork(struct Work *work) {
    if (work->queue == (Queue)_dispatch_main_q) {
        startOnMainThread(runWork, work);
        return;
    }
    // The queues that all share keep nothing in order.
    const void *queue = isOfAll(work->queue) ? NULL : work->queue;
    bool isBarrier = queue && (work->isBarrier || !isConcurrent(work->queue));
    struct Thread *thread = startThread(runWork, work);
    if (!thread) return;
    thread->isBarrier = isBarrier;
    thread->queue = queue;
}

/// What waits for a time or for a group first becomes work of its queue's then.
static void runWhenReady(void *argument) {
    struct Work *work = argument;
    if (work->waitsForGroup) {
        dispatch_group_wait(work->group, ~0ull);
        dispatch_release(work->group);
    }
    startWork(work);
}

static void add(struct Work work) {
    struct Work *own = malloc(sizeof *own);
    dispatch_retain(work.queue);
    if (work.block) work.block = _Block_copy(work.block);
    *own = work;
    if (work.deadline) startThreadLater(runWhenReady, own, work.deadline);
    else if (work.waitsForGroup) startThread(runWhenReady, own);
    else startWork(own);
    passPoint(schedules_starts, NULL, findPlaces(current));
}

#define work(name, parameters, arguments, ...) \
    exported void name parameters { \
        static void(*call) parameters; \
        if (!call) *(void **)&call = next(#name); \
        if (!managed()) return call arguments; \
        add((struct Work){__VA_ARGS__}); \
    }
work(dispatch_async, (Queue queue, void *block), (queue, block), .queue = queue, .block = block)
work(dispatch_async_f, (Queue queue, void *context, Function function), (queue, context, function),
     .queue = queue, .function = function, .context = context)
work(dispatch_barrier_async, (Queue queue, void *block), (queue, block), .queue = queue, .block = block, .isBarrier = true)
work(dispatch_barrier_async_f, (Queue queue, void *context, Function function), (queue, context, function),
     .queue = queue, .function = function, .context = context, .isBarrier = true)

static void *entered(void *group) {
    dispatch_group_enter(group);
    return group;
}
work(dispatch_group_async, (void *group, Queue queue, void *block), (group, queue, block),
     .queue = queue, .block = block, .group = entered(group))
work(dispatch_group_async_f, (void *group, Queue queue, void *context, Function function), (group, queue, context, function),
     .queue = queue, .function = function, .context = context, .group = entered(group))

static void *retained(void *group) {
    dispatch_retain(group);
    return group;
}
work(dispatch_group_notify, (void *group, Queue queue, void *block), (group, queue, block),
     .queue = queue, .block = block, .group = retained(group), .waitsForGroup = true)
work(dispatch_group_notify_f, (void *group, Queue queue, void *context, Function function), (group, queue, context, function),
     .queue = queue, .function = function, .context = context, .group = retained(group), .waitsForGroup = true)

/// When a time of Dispatch's is, on the clock that waits are kept by: it counts on three clocks.
static uint64_t moment(uint64_t when) {
    if (when == 0 || when == ~0ull) return now() + (when ? 1ull << 60 : 1);
    bool isWall = when >> 62 == 3;
    clockid_t clock = isWall ? CLOCK_REALTIME : when >> 63 ? CLOCK_BOOTTIME : CLOCK_MONOTONIC;
    uint64_t value = isWall ? -when : when & ~(1ull << 63);
    return momentOf(clock, value);
}
work(dispatch_after, (uint64_t when, Queue queue, void *block), (when, queue, block),
     .queue = queue, .block = block, .deadline = moment(when))
work(dispatch_after_f, (uint64_t when, Queue queue, void *context, Function function), (when, queue, context, function),
     .queue = queue, .function = function, .context = context, .deadline = moment(when))

// MARK: Loops on several threads

struct Loop { void *block; _Atomic uint32_t left; };
struct Round { struct Loop *loop; size_t index; };

static void runRound(void *argument) {
    struct Round round = *(struct Round *)argument;
    free(argument);
    ((struct Block *)round.loop->block)->invoke(round.loop->block, round.index);
    atomic_fetch_sub(&round.loop->left, 1);
    wake(round.loop, UINT32_MAX);
}

real(void, dispatch_apply, size_t, Queue, void *)
exported void dispatch_apply(size_t count, Queue queue, void *block) {
    find_dispatch_apply();
    if (!managed() || count > mostThreads / 4) return real_dispatch_apply(count, queue, block);
    struct Loop loop = {block, (uint32_t)count};
    for (size_t index = 0; index < count; index++) {
        struct Round *round = malloc(sizeof *round);
        *round = (struct Round){&loop, index};
        if (!startThread(runRound, round)) return;
    }
    passPoint(schedules_starts, NULL, findPlaces(current));
    while (loop.left) waitOn(&loop, schedules_onQueue, 0);
}

// MARK: What the scheduler does not run

real(void *, dispatch_source_create, const void *, uintptr_t, uintptr_t, Queue)
exported void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, Queue queue) {
    find_dispatch_source_create();
    if (isExploring) noteOutside();
    return real_dispatch_source_create(type, handle, mask, queue);
}

void queueOnMain(void *context, void (*call)(void *)) {
    static void (*async)(Queue, void *, Function);
    if (!async) *(void **)&async = next("dispatch_async_f");
    async(_dispatch_main_q, context, call);
}

// MARK: Threads of the answer's own

struct Created {
    void *(*run)(void *);
    void *argument;
    struct Thread *thread;
    struct Worker worker;
    pthread_t id;
    struct Created *next;
};
static struct Created *created;

static void runNothing(void *context) { (void)context; }

static void *runCreated(void *argument) {
    struct Created *own = argument;
    prepareWorker(&own->worker);
    return runCreatedThread(own->thread, &own->worker, own->run, own->argument);
}

real(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)
real(int, pthread_join, pthread_t, void **)
exported int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    find_pthread_create();
    // Dispatch's threads serve what is outside of the scheduler.
    if (!managed() || isOfDispatch((uintptr_t)__builtin_return_address(0))) {
        return real_pthread_create(id, attributes, run, argument);
    }
    struct Created *own = calloc(1, sizeof *own);
    own->run = run;
    own->argument = argument;
    own->thread = startThread(runNothing, NULL);
    if (!own->thread) return EAGAIN;
    own->thread->worker = &own->worker;
    int failure = real_pthread_create(&own->id, attributes, runCreated, own);
    if (failure) {
        own->thread->worker = NULL;
        return failure;
    }
    *id = own->id;
    lockScheduler();
    own->next = created;
    created = own;
    unlockScheduler();
    passPoint(schedules_starts, NULL, findPlaces(current));
    return 0;
}
exported int pthread_join(pthread_t id, void **result) {
    find_pthread_join();
    if (managed()) {
        for (struct Created *other = created; other; other = other->next) {
            if (other->id != id) continue;
            while (other->thread->worker == &other->worker && other->thread->state != stateEnded) {
                waitOn(other->thread, schedules_onThread, 0);
            }
            break;
        }
    }
    return real_pthread_join(id, result);
}
