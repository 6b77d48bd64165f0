// Which orders are tried: those without an interruption first, then those with one at each place where it can matter, then those
// with two. What is left out when there are too many is drawn evenly.
#define _GNU_SOURCE
#include "Scheduler.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { mostOfLevel = 1 << 15, mostKnown = 1 << 16 };

struct Level { struct Plan *plans; uint32_t count; };
static struct Level levels[3];
/// Digests of the plans that were noted already.
static uint64_t known[mostKnown];
static uint32_t knownCount, tries;
static struct Plan last;

static uint64_t digest(const struct Plan *plan) {
    uint64_t value = 0xCBF29CE484222325ull + plan->count;
    for (uint32_t index = 0; index < plan->count; index++) {
        const struct Decision *decision = &plan->decisions[index];
        uint64_t word = (uint64_t)decision->thread << 44 ^ (uint64_t)decision->step << 16 ^ decision->other;
        value = (value ^ word) * 0x9E3779B97F4A7C15ull;
        value ^= value >> 29;
    }
    return value | 1;
}

/// Whether the digest was not there before.
static bool isNew(uint64_t value) {
    uint32_t index = value >> 20 & (mostKnown - 1);
    while (known[index]) {
        if (known[index] == value) return false;
        index = (index + 1) & (mostKnown - 1);
    }
    if (knownCount > mostKnown / 2) return false;
    known[index] = value;
    knownCount++;
    return true;
}

static uint64_t draw(uint64_t *state) {
    uint64_t value = *state += 0x9E3779B97F4A7C15ull;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9ull;
    value = (value ^ value >> 27) * 0x94D049BB133111EBull;
    return value ^ value >> 31;
}

static void shuffle(struct Level *level, uint32_t from, uint64_t *state) {
    for (uint32_t index = level->count; index > from + 1; index--) {
        uint32_t other = from + draw(state) % (index - from);
        struct Plan plan = level->plans[index - 1];
        level->plans[index - 1] = level->plans[other];
        level->plans[other] = plan;
    }
}

/// Those that may show a data race come first: what follows from one is told as a data race then, and not as what followed.
static void putAccessesFirst(struct Level *level, uint32_t from) {
    uint32_t place = from;
    for (uint32_t index = from; index < level->count; index++) {
        if (!level->plans[index].isBeforeAccess) continue;
        struct Plan plan = level->plans[place];
        level->plans[place++] = level->plans[index];
        level->plans[index] = plan;
    }
}

/// Whether another thread could make a difference here.
static bool matters(const struct Event *event) {
    switch (event->kind) {
    case eventBlocked:
    case eventEnded:
    case eventBegun:
    case schedules_starts:
    case schedules_calls: return true;
    case schedules_reads:
    case schedules_writes: return isHot(event->places.at[0]);
    default: return event->places.at[0] && isShared(event->address);
    }
}

/// Notes what could have come otherwise in the try that was made last, behind its plan's last decision.
static void expand(const struct Plan *plan, uint32_t interruptions) {
    uint32_t behind = plan->count ? plan->decisions[plan->count - 1].step : 0;
    uint32_t ofThread = plan->count ? plan->decisions[plan->count - 1].thread : 0;
    bool isBehind = !plan->count;
    for (uint32_t index = 0; index < eventCount; index++) {
        const struct Event *event = &events[index];
        if (!isBehind) {
            isBehind = event->thread == ofThread && event->step == behind;
            continue;
        }
        bool isFirst = event->kind == eventBegun;
        uint32_t used = plan->count && plan->decisions[0].step == 0 ? plan->count - 1 : plan->count;
        uint32_t level = isFirst ? used : used + 1;
        if (level > interruptions || plan->count == 3 || !event->alternatives || !matters(event)) continue;
        for (uint32_t other = 0; other < event->alternatives; other++) {
            struct Plan child = *plan;
            child.isBeforeAccess = event->kind <= schedules_writes;
            child.decisions[child.count++] = (struct Decision){event->thread, event->step, event->others[other]};
            if (levels[level].count < mostOfLevel && isNew(digest(&child))) levels[level].plans[levels[level].count++] = child;
        }
    }
}

static double processorSeconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static enum SchedulesResult try(const struct SchedulesBody *body, const struct Plan *plan) {
    tries++;
    last = *plan;
    return runTry(body, &last);
}

struct Limits {
    uint64_t seed;
    uint32_t tries, interruptions;
    double processorSeconds;
};

static enum SchedulesResult search(struct SchedulesBody body, struct Limits limits) {
    uint64_t state = limits.seed;
    double end = processorSeconds() + limits.processorSeconds;
    for (uint32_t level = 0; level < 3; level++) {
        if (!levels[level].plans) levels[level].plans = malloc(mostOfLevel * sizeof(struct Plan));
        levels[level].count = 0;
    }
    memset(known, 0, sizeof known);
    knownCount = tries = 0;
    beginAccesses();
    struct Plan plan = {.count = 0};
    isNew(digest(&plan));
    levels[0].plans[levels[0].count++] = plan;
    uint32_t undecided = 0, next[3] = {0};
    for (uint32_t level = 0; level <= limits.interruptions && level < 3; level++) {
        uint32_t hotBefore = hotPlaces();
        while (true) {
            uint32_t from = next[level];
            if (level) shuffle(&levels[level], from, &state);
            if (level) putAccessesFirst(&levels[level], from);
            for (; next[level] < levels[level].count; next[level]++) {
                if (tries >= limits.tries || processorSeconds() > end) return schedules_passed;
                plan = levels[level].plans[next[level]];
                enum SchedulesResult result = try(&body, &plan);
                // Where not even the first order is known to the end, nothing is.
                if (result == schedules_undecided && (tries == 1 || ++undecided > 3)) return result;
                if (result != schedules_passed && result != schedules_undecided) return result;
                if (isNew(orderOfAccesses() | 1)) expand(&plan, limits.interruptions);
            }
            if (level == 2 || hotPlaces() == hotBefore) break;
            // More places have turned out to matter: the earlier tries are made again, for what could come otherwise there.
            hotBefore = hotPlaces();
            for (uint32_t earlier = 0; earlier <= level; earlier++) {
                for (uint32_t index = 0; index < next[earlier]; index++) {
                    if (tries >= limits.tries || processorSeconds() > end) return schedules_passed;
                    plan = levels[earlier].plans[index];
                    enum SchedulesResult result = try(&body, &plan);
                    if (result != schedules_passed && result != schedules_undecided) return result;
                    expand(&plan, limits.interruptions);
                }
            }
            level = 0;
        }
    }
    return schedules_passed;
}

exported enum SchedulesResult schedules_explore(
    SchedulesBegin *begin, SchedulesIsWoken *isWoken, SchedulesIsAsleep *isAsleep, void *context, uint64_t seed, uint32_t tries,
    double processorSeconds, uint32_t interruptions
) {
    beginExploring();
    struct SchedulesBody body = {begin, isWoken, isAsleep, context};
    struct Limits limits = {
        .seed = seed, .tries = tries, .processorSeconds = processorSeconds, .interruptions = interruptions};
    enum SchedulesResult result = search(body, limits);
    endExploring();
    return result;
}

exported uint32_t schedules_tries(void) { return tries; }

// MARK: Text

static void appendName(char **text, char *end, uint32_t thread) {
    char name[8];
    uint32_t count = 0;
    thread++;
    while (thread) {
        name[count++] = 'A' + (thread - 1) % 26;
        thread = (thread - 1) / 26;
    }
    while (count && *text < end) *(*text)++ = name[--count];
}

exported void schedules_text(char *text, uint32_t size) {
    char *end = text + size - 1, *start = text;
    for (uint32_t index = 0; index < decisionsTaken() && index < last.count; index++) {
        if (text > start && text < end) *text++ = ' ';
        appendName(&text, end, last.decisions[index].thread);
        if (end - text > 12) text += snprintf(text, end - text, "%u>", last.decisions[index].step);
        appendName(&text, end, last.decisions[index].other);
    }
    *text = 0;
}

static bool readName(const char **text, uint32_t *thread) {
    uint32_t value = 0;
    const char *start = *text;
    while (**text >= 'A' && **text <= 'Z' && *text - start < 4) value = value * 26 + (*(*text)++ - 'A' + 1);
    *thread = value - 1;
    return value > 0;
}

static bool readPlan(const char *text, struct Plan *plan) {
    plan->count = 0;
    while (*text) {
        struct Decision decision;
        if (plan->count == 3 || !readName(&text, &decision.thread)) return false;
        char *end;
        decision.step = (uint32_t)strtoul(text, &end, 10);
        if (end == text || *end != '>') return false;
        text = end + 1;
        if (!readName(&text, &decision.other)) return false;
        plan->decisions[plan->count++] = decision;
        while (*text == ' ') text++;
    }
    return true;
}

exported enum SchedulesResult schedules_replay(
    SchedulesBegin *begin, SchedulesIsWoken *isWoken, SchedulesIsAsleep *isAsleep, void *context, const char *text
) {
    struct SchedulesBody body = {begin, isWoken, isAsleep, context};
    struct Plan plan, first = {.count = 0};
    if (!readPlan(text, &plan)) return schedules_undecided;
    beginExploring();
    beginAccesses();
    knownCount = tries = 0;
    // What is made once for all is made by the first try.
    enum SchedulesResult result = plan.count ? try(&body, &first) : schedules_passed;
    if (result == schedules_passed || result == schedules_undecided) result = try(&body, &plan);
    endExploring();
    return result;
}

// MARK: What was found

/// Those of the recorded events that a place in the image belongs to.
static bool isShown(const struct Event *event) {
    return event->kind <= eventBlocked && isInImage(event->places.at[0]);
}

exported uint32_t schedules_steps(void) {
    uint32_t count = 0;
    for (uint32_t index = 0; index < eventCount; index++) count += isShown(&events[index]);
    return count;
}

static void tell(struct SchedulesEvent event, uint64_t *words) {
    words[0] = event.thread;
    words[1] = event.kind;
    memcpy(words + 2, event.places, sizeof event.places);
}

exported void schedules_step(uint32_t wanted, uint64_t *words) {
    for (uint32_t index = 0; index < eventCount; index++) {
        const struct Event *event = &events[index];
        if (!isShown(event) || wanted--) continue;
        uint32_t kind = event->kind == eventBlocked ? schedules_waits : event->kind % eventAtomic;
        tell(told(event->thread, kind, event->places), words);
        return;
    }
}

exported bool schedules_hasRace(void) { return hasRace; }
exported void schedules_access(uint32_t index, uint64_t *words) { tell(race[index & 1], words); }

exported uint32_t schedules_waiters(void) {
    uint32_t count = 0;
    for (uint32_t index = 0; index < threadCount; index++) count += threads[index].state == stateWaiting;
    return count;
}

exported void schedules_waiter(uint32_t wanted, uint64_t *words) {
    for (uint32_t index = 0; index < threadCount; index++) {
        struct Thread *thread = &threads[index];
        if (thread->state != stateWaiting || wanted--) continue;
        tell(told(thread->number, thread->wait, thread->waitPlaces), words);
        return;
    }
}
