// Runs code in an order that is chosen, one thread at a time, and tries one order after the other.
//
// Threads, tasks and blocks that the explored code starts are threads of the scheduler's: each goes on only when it is its
// turn. What they do is seen by functions of this target that stand in place of the sanitizer's and the platform's.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum SchedulesResult {
    /// No order was found in which something is wrong.
    schedules_passed,
    /// The body has said that something does not hold.
    schedules_failed,
    /// Two accesses can be made at the same time, and one of them is a write.
    schedules_dataRace,
    /// The body has not ended, and nothing can go on.
    schedules_stuck,
    /// The code goes on without an end.
    schedules_endless,
    /// Something outside of the scheduler has had a part in it, or there was no room: nothing is known.
    schedules_undecided,
};

/// Begins a try of the body, on a thread of the scheduler's.
typedef void SchedulesBegin(void *context);
/// Nothing can go on any more. Returns whether it has made something ready.
typedef bool SchedulesIsWoken(void *context);
/// Whether all threads of the process but the caller's sleep.
typedef bool SchedulesIsAsleep(void);

/// Whether the scheduler has found a race that it was shown, and has found none in code without a race.
bool schedules_works(void);
/// Explores, and returns how the first try ended that did not pass. One exploration at a time.
///
/// - Parameters:
///   - tries: the most tries.
///   - interruptions: the most in a try, after the first thread has begun; at most two.
enum SchedulesResult schedules_explore(
    SchedulesBegin *begin, SchedulesIsWoken *isWoken, SchedulesIsAsleep *isAsleep, void *context, uint64_t seed, uint32_t tries,
    double processorSeconds, uint32_t interruptions);
/// Runs one order again, such as "A4>C C99>B". Returns undecided if the text names no order.
enum SchedulesResult schedules_replay(
    SchedulesBegin *begin, SchedulesIsWoken *isWoken, SchedulesIsAsleep *isAsleep, void *context, const char *text);
/// How many tries the last exploration has made.
uint32_t schedules_tries(void);

/// In how many nanoseconds a thread wakes by itself that is none of an exploration's; UINT64_MAX where none does.
uint64_t schedules_nextWake(void);

// Called by the body.

/// Whether this thread is one of the scheduler's.
bool schedules_isManaged(void);
/// Whether there is an exploration.
bool schedules_isExploring(void);
/// Adds a thread, which runs the function when it is its turn.
void schedules_start(void (*run)(void *context), void *context);
/// Adds one that runs when nothing else can go on and no earlier one is left.
void schedules_startLater(void (*run)(void *context), void *context, uint64_t nanoseconds);
/// Calls the function when nothing can go on.
void schedules_whenQuiet(void (*call)(void *context), void *context);
/// From here on, threads are interrupted, or not any more.
void schedules_interrupt(bool isOn);
/// In between, this thread is not interrupted.
void schedules_keepTurn(bool isOn);
/// A place at which another thread may go on.
void schedules_pause(void);
/// The body has ended, and whether something does not hold.
void schedules_end(bool hasFailed);

// What was found.

enum SchedulesStep {
    schedules_reads, schedules_writes, schedules_changes, schedules_locks, schedules_unlocks, schedules_waits,
    schedules_resumes, schedules_starts, schedules_calls, schedules_ends,
};
enum SchedulesWait {
    schedules_onLock, schedules_onCondition, schedules_onSemaphore, schedules_onQueue, schedules_onThread,
    schedules_onSleep, schedules_onOther,
};
/// One thing that a thread has done, or waits for, or does when it races: the thread's number, what it does (`SchedulesStep`) or
/// waits for (`SchedulesWait`), and where, innermost first, from the beginning of the image, with 0 behind the last.
enum { schedules_eventWords = 6 };

/// The order that was run last, as text.
void schedules_text(char *text, uint32_t size);
uint32_t schedules_steps(void);
void schedules_step(uint32_t index, uint64_t *event);
/// The two accesses that can be made at the same time.
void schedules_access(uint32_t index, uint64_t *event);
bool schedules_hasRace(void);
uint32_t schedules_waiters(void);
void schedules_waiter(uint32_t index, uint64_t *event);

/// Returns when a thread of the scheduler's has crashed. It is held until that was told.
void schedules_awaitCrash(void);
void schedules_crashWasTold(void);

#ifdef __cplusplus
}
#endif
