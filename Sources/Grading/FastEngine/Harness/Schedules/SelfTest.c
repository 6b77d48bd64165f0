// Whether the scheduler sees what it has to see, on this machine and with this compiler's libraries.
#define _GNU_SOURCE
#include "Scheduler.h"

void __tsan_read4(void *);
void __tsan_write4(void *);

static uint32_t shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool isLocked;

static void addOne(void *context) {
    (void)context;
    if (isLocked) pthread_mutex_lock(&lock);
    __tsan_read4(&shared);
    uint32_t value = shared;
    __tsan_write4(&shared);
    shared = value + 1;
    if (isLocked) pthread_mutex_unlock(&lock);
}

static void end(void *context) {
    (void)context;
    schedules_interrupt(false);
    schedules_end(shared != 2);
}

static void begin(void *context) {
    shared = 0;
    schedules_whenQuiet(end, context);
    schedules_start(addOne, context);
    schedules_start(addOne, context);
    schedules_interrupt(true);
}

static bool isNotWoken(void *context) {
    (void)context;
    return false;
}

static bool isAsleep(void) { return true; }

static enum SchedulesResult explore(bool withLock) {
    isLocked = withLock;
    return schedules_explore(begin, isNotWoken, isAsleep, NULL, 1, 200, 1, 2);
}

exported bool schedules_works(void) {
    return explore(false) == schedules_dataRace && explore(true) == schedules_passed && schedules_tries() > 1;
}
