// Functions that stand in place of the sanitizer's and of the runtime's: the accesses, atomics and calls of an answer.
#define _GNU_SOURCE
#include "Scheduler.h"
#include <link.h>
#include <string.h>

// MARK: The image

static uintptr_t imageStart, imageEnd;

static int findImage(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    uintptr_t place = *(uintptr_t *)context;
    uintptr_t end = 0;
    bool isInside = false;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        if (info->dlpi_phdr[index].p_type != PT_LOAD) continue;
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[index].p_vaddr;
        uintptr_t stop = start + info->dlpi_phdr[index].p_memsz;
        isInside |= place >= start && place < stop;
        if (stop > end) end = stop;
    }
    if (!isInside) return 0;
    imageStart = info->dlpi_addr;
    imageEnd = end;
    return 1;
}

/// Called by the answer's image when it is loaded.
exported void __tsan_init(void) {
    uintptr_t place = (uintptr_t)__builtin_return_address(0);
    dl_iterate_phdr(findImage, &place);
}

struct Image { uintptr_t place; bool isFound; };
static int findDispatch(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct Image *image = context;
    if (!info->dlpi_name || !strstr(info->dlpi_name, "/libdispatch.so")) return 0;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[index].p_vaddr;
        bool isInside = image->place >= start && image->place < start + info->dlpi_phdr[index].p_memsz;
        if (info->dlpi_phdr[index].p_type == PT_LOAD && isInside) image->isFound = true;
    }
    return 1;
}
bool isOfDispatch(uintptr_t place) {
    struct Image image = {place, false};
    dl_iterate_phdr(findDispatch, &image);
    return image.isFound;
}

bool isInImage(uintptr_t place) { return place >= imageStart && place < imageEnd; }
/// A return address is behind its call.
static uintptr_t imageOffset(uintptr_t place) { return isInImage(place) ? place - 1 - imageStart : 0; }

struct SchedulesEvent told(uint64_t thread, uint64_t kind, struct Places places) {
    struct SchedulesEvent event = {thread, kind, {0}};
    for (int index = 0; index < 4; index++) event.places[index] = imageOffset(places.at[index]);
    return event;
}

/// The place and those that it was called from.
static struct Places placesOf(struct Thread *thread, uintptr_t place) {
    struct Places places = {{place}};
    for (uint32_t index = 1; index < 4 && index <= thread->depth && thread->depth <= 64; index++) {
        places.at[index] = thread->callers[thread->depth - index];
    }
    return places;
}

/// Where the answer is on the way to here: up the frames of the thread's stack.
struct Places findPlaces(struct Thread *thread) {
    struct Places places = {{0}};
    struct Worker *worker = thread->worker;
    uint32_t found = 0, frames = 0;
    uintptr_t *frame = __builtin_frame_address(0);
    while (worker && found < 4 && frames++ < 24) {
        if ((uintptr_t)frame < worker->stackStart || (uintptr_t)frame > worker->stackEnd - 16 || (uintptr_t)frame % 8) break;
        if (isInImage(frame[1])) places.at[found++] = frame[1];
        uintptr_t *above = (uintptr_t *)(frame[0] & ~(1ull << 60));
        if (above <= frame) break;
        frame = above;
    }
    return places;
}

// MARK: What several threads have touched

enum { cellCount = 1 << 14, hotCount = 1 << 10, placesOfCell = 4 };
static struct Cell {
    uintptr_t address;
    uint32_t generation;
    uint16_t thread;
    bool isShared, isWritten;
    /// The locks that all had who have touched it.
    uint8_t lockCount;
    const void *locks[3];
    uintptr_t places[placesOfCell];
    uint8_t placeCount;
    /// In which order it was written to and read, where reads in between have no order.
    uint64_t writes, reads;
} cells[cellCount];
static uint32_t generation;
static const char mainThread;
enum { mostTouched = 4096 };
static uint32_t touchedCells[mostTouched], touchedCount;
static uintptr_t hot[hotCount];
static uint32_t hotPlaceCount;

bool hasRace;
struct SchedulesEvent race[2];
static const void *locks[32];
static uint32_t lockCount;
static struct { uintptr_t address; struct SchedulesEvent accesses[2]; } races[16];
static uint32_t raceCount;

void beginAccesses(void) {
    memset(hot, 0, sizeof hot);
    hotPlaceCount = lockCount = 0;
}
void beginAccessesOfTry(void) {
    generation++;
    touchedCount = 0;
    raceCount = 0;
    hasRace = false;
}
uint32_t hotPlaces(void) { return hotPlaceCount; }

static uint32_t slot(uintptr_t value, uint32_t count) { return (uint32_t)((value * 0x9E3779B97F4A7C15ull) >> 40) & (count - 1); }

bool isHot(uintptr_t place) {
    for (uint32_t look = 0, index = slot(place, hotCount); look < 64 && hot[index]; look++, index = (index + 1) & (hotCount - 1)) {
        if (hot[index] == place) return true;
    }
    return false;
}

static void makeHot(uintptr_t place) {
    if (hotPlaceCount > hotCount / 2 || isHot(place)) return;
    uint32_t index = slot(place, hotCount);
    while (hot[index]) index = (index + 1) & (hotCount - 1);
    hot[index] = place;
    hotPlaceCount++;
}

static struct Cell *cell(uintptr_t address, bool isMade) {
    uint32_t index = slot(address >> 3, cellCount);
    for (uint32_t look = 0; look < 16; look++, index = (index + 1) & (cellCount - 1)) {
        struct Cell *cell = &cells[index];
        if (cell->generation == generation && cell->address == address >> 3) return cell;
        if (cell->generation == generation) continue;
        if (!isMade) return NULL;
        if (touchedCount < mostTouched) touchedCells[touchedCount++] = index;
        *cell = (struct Cell){.address = address >> 3, .generation = generation, .thread = UINT16_MAX};
        return cell;
    }
    return NULL;
}

bool isShared(uintptr_t address) {
    struct Cell *found = cell(address, false);
    return found && found->isShared && found->isWritten;
}

void noteTaken(struct Thread *thread, const void *lock) {
    if (thread->lockCount < 8) thread->locks[thread->lockCount++] = lock;
}

void noteGiven(struct Thread *thread, const void *lock) {
    for (uint32_t index = thread->lockCount; index-- > 0;) {
        if (thread->locks[index] != lock) continue;
        thread->locks[index] = thread->locks[--thread->lockCount];
        return;
    }
}

/// The main thread and a serial queue keep apart what runs there, as a lock does.
static bool has(const struct Thread *thread, const void *lock) {
    if (lock == &mainThread) return thread->isOnMainThread;
    if (thread->isBarrier && lock == thread->queue) return true;
    for (uint32_t index = 0; index < thread->lockCount; index++) {
        if (thread->locks[index] == lock) return true;
    }
    return false;
}

static void beginLocks(struct Cell *cell, const struct Thread *thread) {
    cell->lockCount = 0;
    if (thread->isOnMainThread) cell->locks[cell->lockCount++] = &mainThread;
    if (thread->isBarrier) cell->locks[cell->lockCount++] = thread->queue;
    for (uint32_t index = 0; index < thread->lockCount && cell->lockCount < 3; index++) {
        cell->locks[cell->lockCount++] = thread->locks[index];
    }
}

static void keepCommonLocks(struct Cell *cell, const struct Thread *thread) {
    for (uint32_t index = cell->lockCount; index-- > 0;) {
        if (!has(thread, cell->locks[index])) cell->locks[index] = cell->locks[--cell->lockCount];
    }
}

uint64_t mixed(uint64_t value) {
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9ull;
    value = (value ^ value >> 27) * 0x94D049BB133111EBull;
    return value ^ value >> 31;
}

uint64_t orderOfAccesses(void) {
    uint64_t order = 0;
    for (uint32_t index = 0; index < touchedCount; index++) {
        struct Cell *touched = &cells[touchedCells[index]];
        if (touched->isShared && touched->isWritten) order += mixed(touched->writes ^ mixed(touched->reads));
    }
    return order;
}

void touch(struct Thread *thread, uintptr_t address, bool isWrite, uintptr_t place) {
    struct Cell *touched = cell(address, true);
    if (!touched) return;
    if (touched->thread == UINT16_MAX) {
        touched->thread = thread->number;
        beginLocks(touched, thread);
    } else {
        keepCommonLocks(touched, thread);
    }
    if (touched->thread != thread->number) touched->isShared = true;
    touched->isWritten |= isWrite;
    uint64_t access = mixed(thread->name ^ place);
    if (isWrite) {
        touched->writes = mixed(touched->writes ^ touched->reads ^ access);
        touched->reads = 0;
    } else {
        touched->reads += access;
    }
    bool isKnown = false;
    for (uint32_t index = 0; index < touched->placeCount; index++) isKnown |= touched->places[index] == place;
    if (!isKnown && touched->placeCount < placesOfCell) touched->places[touched->placeCount++] = place;
    // Where all have the same lock, no thread can come between.
    if (!touched->isShared || !touched->isWritten || touched->lockCount) return;
    makeHot(place);
    for (uint32_t index = 0; index < touched->placeCount; index++) makeHot(touched->places[index]);
}

// MARK: Accesses

static void lookForRaces(struct Thread *thread, struct Access access) {
    for (uint32_t index = 0; index < threadCount && raceCount < 16; index++) {
        struct Thread *other = &threads[index];
        struct Access pending = other->pending;
        if (other == thread || other->state != stateReady || !pending.size) continue;
        bool meets = access.address < pending.address + pending.size && pending.address < access.address + access.size;
        if (!meets || !(access.isWrite || pending.isWrite)) continue;
        races[raceCount].address = pending.address > access.address ? pending.address : access.address;
        races[raceCount].accesses[0] = told(other->number, pending.isWrite ? schedules_writes : schedules_reads, pending.places);
        races[raceCount++].accesses[1] = told(thread->number, access.isWrite ? schedules_writes : schedules_reads, access.places);
    }
}

static void noteAccess(struct Thread *thread, struct Access access) {
    if (thread->quiet) return;
    touch(thread, access.address, access.isWrite, access.places.at[0]);
    thread->pending = access;
    passPoint(access.isWrite ? schedules_writes : schedules_reads, (void *)access.address, access.places);
    lookForRaces(thread, access);
    thread->pending.size = 0;
}

/// A function of the platform has been called with a lock of the answer's in its hands: the answer has begun to change the
/// variable that it is in, as Swift says that; no value of it is changed.
void noteLock(struct Thread *thread) {
    for (uint32_t index = 0; index < thread->openCount && index < 16; index++) {
        const void *address = thread->open[index].address;
        bool isKnown = false;
        for (uint32_t known = 0; known < lockCount; known++) isKnown |= locks[known] == address;
        if (!isKnown && lockCount < 32) locks[lockCount++] = address;
    }
}

void dropRacesOnLocks(void) {
    hasRace = false;
    for (uint32_t index = 0; index < raceCount && !hasRace; index++) {
        bool isLock = false;
        for (uint32_t known = 0; known < lockCount; known++) isLock |= (uintptr_t)locks[known] == races[index].address;
        if (isLock) continue;
        hasRace = true;
        race[0] = races[index].accesses[0];
        race[1] = races[index].accesses[1];
    }
    lockCount = 0;
}

#define here ((uintptr_t)__builtin_return_address(0))

static inline __attribute__((always_inline)) void access(const void *address, size_t size, bool isWrite, uintptr_t place) {
    struct Thread *thread = managed();
    if (!thread || !isInterrupting || !size) return;
    noteAccess(thread, (struct Access){(uintptr_t)address, size, isWrite, placesOf(thread, place)});
}

#define accesses(size) \
    exported void __tsan_read##size(void *address) { access(address, size, false, here); } \
    exported void __tsan_write##size(void *address) { access(address, size, true, here); } \
    exported void __tsan_unaligned_read##size(void *address) { access(address, size, false, here); } \
    exported void __tsan_unaligned_write##size(void *address) { access(address, size, true, here); } \
    exported void __tsan_volatile_read##size(void *address) { access(address, size, false, here); } \
    exported void __tsan_volatile_write##size(void *address) { access(address, size, true, here); } \
    exported void __tsan_read_write##size(void *address) { access(address, size, true, here); } \
    exported void __tsan_unaligned_read_write##size(void *address) { access(address, size, true, here); }
accesses(1)
accesses(2)
accesses(4)
accesses(8)
accesses(16)

exported void __tsan_read_range(void *address, size_t size) { access(address, size, false, here); }
exported void __tsan_write_range(void *address, size_t size) { access(address, size, true, here); }
exported void __tsan_vptr_read(void **address) { access(address, 8, false, here); }
exported void __tsan_vptr_update(void **address, void *value) { (void)value; access(address, 8, true, here); }
exported void __tsan_external_read(void *address, void *caller, void *tag) { (void)caller, (void)tag; access(address, 1, false, here); }
exported void __tsan_external_write(void *address, void *caller, void *tag) { (void)caller, (void)tag; access(address, 1, true, here); }
exported void __tsan_ignore_thread_begin(void) {}
exported void __tsan_ignore_thread_end(void) {}
exported void *__tsan_memcpy(void *to, const void *from, size_t size) {
    access(from, size, false, here);
    access(to, size, true, here);
    return memcpy(to, from, size);
}
exported void *__tsan_memmove(void *to, const void *from, size_t size) {
    access(from, size, false, here);
    access(to, size, true, here);
    return memmove(to, from, size);
}
exported void *__tsan_memset(void *to, int value, size_t size) {
    access(to, size, true, here);
    return memset(to, value, size);
}
exported void __tsan_func_entry(void *caller) {
    struct Thread *thread = managed();
    if (!thread) return;
    if (thread->depth < 64) thread->callers[thread->depth] = (uintptr_t)caller;
    thread->depth++;
}
exported void __tsan_func_exit(void) {
    struct Thread *thread = managed();
    if (thread && thread->depth) thread->depth--;
}

// The answer's object calls these two in place of the runtime's `swift_beginAccess` and `swift_endAccess`.
exported void races_beginAccess(void *address, void *buffer, uintptr_t flags, void *place) {
    static void (*begin)(void *, void *, uintptr_t, void *);
    if (!begin) *(void **)&begin = next("swift_beginAccess");
    struct Thread *thread = managed();
    if (thread) {
        access(address, 1, flags & 1, here);
        if (thread->openCount < 16 && flags & 1) {
            thread->open[thread->openCount].buffer = buffer;
            thread->open[thread->openCount].address = address;
            thread->openCount++;
        }
    }
    begin(address, buffer, flags, place ? place : __builtin_return_address(0));
}

exported void races_endAccess(void *buffer) {
    static void (*end)(void *);
    if (!end) *(void **)&end = next("swift_endAccess");
    struct Thread *thread = managed();
    if (thread) {
        for (uint32_t index = thread->openCount; index-- > 0;) {
            if (thread->open[index].buffer != buffer) continue;
            thread->open[index] = thread->open[--thread->openCount];
            break;
        }
    }
    end(buffer);
}

/// What one thread makes once for all is made in one step: another one could only wait for it.
exported void races_once(void *predicate, void (*make)(void *), void *context) {
    static void (*once)(void *, void (*)(void *), void *);
    if (!once) *(void **)&once = next("swift_once");
    schedules_keepTurn(true);
    once(predicate, make, context);
    schedules_keepTurn(false);
}

// MARK: Atomics

static void before(const volatile void *address, uintptr_t place, bool isWrite, bool isTaking) {
    struct Thread *thread = managed();
    if (!thread || !isInterrupting || thread->quiet) return;
    touch(thread, (uintptr_t)address, isWrite, place);
    enum SchedulesStep kind = isWrite ? schedules_writes : schedules_reads;
    passPoint(isTaking ? schedules_locks : eventAtomic + kind, (void *)address, placesOf(thread, place));
}
static void after(const volatile void *address, uintptr_t place) {
    struct Thread *thread = managed();
    if (!thread || !isInterrupting || thread->quiet) return;
    passPoint(schedules_unlocks, (void *)address, placesOf(thread, place));
}

#define change(bits, type, name, builtin) \
    exported type __tsan_atomic##bits##_##name(volatile type *address, type value, int order) { \
        (void)order; \
        before(address, here, true, false); \
        type result = builtin(address, value, __ATOMIC_SEQ_CST); \
        after(address, here); \
        return result; \
    }
/// Swift's `Mutex` is a number: that of the thread that has the lock, or 0.
static bool isTaking(uint64_t expected, uint64_t value) {
    struct Thread *thread = managed();
    return thread && !expected && value == (uint64_t)thread->worker->number;
}
static bool isGiving(uint64_t expected, uint64_t value) { return isTaking(value, expected); }

static void beforeExchange(const volatile void *address, uintptr_t place, uint64_t expected, uint64_t value) {
    if (!isGiving(expected, value)) before(address, place, true, isTaking(expected, value));
    else touch(current, (uintptr_t)address, true, place);
}
static void afterExchange(const volatile void *address, uintptr_t place, uint64_t expected, uint64_t value, bool isDone) {
    if (isTaking(expected, value)) {
        if (isDone) noteTaken(current, (const void *)address);
        return;
    }
    if (isGiving(expected, value)) noteGiven(current, (const void *)address);
    after(address, place);
}

#define compare(bits, type, name) \
    exported int __tsan_atomic##bits##_compare_exchange_##name( \
        volatile type *address, type *expected, type value, int order, int failure) { \
        (void)order, (void)failure; \
        type found = *expected; \
        beforeExchange(address, here, found, value); \
        int isDone = __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        afterExchange(address, here, found, value, isDone); \
        return isDone; \
    }
#define atomics(bits, type) \
    exported type __tsan_atomic##bits##_load(const volatile type *address, int order) { \
        (void)order; \
        before(address, here, false, false); \
        return __atomic_load_n(address, __ATOMIC_SEQ_CST); \
    } \
    exported void __tsan_atomic##bits##_store(volatile type *address, type value, int order) { \
        (void)order; \
        before(address, here, true, false); \
        __atomic_store_n(address, value, __ATOMIC_SEQ_CST); \
        after(address, here); \
    } \
    change(bits, type, exchange, __atomic_exchange_n) \
    change(bits, type, fetch_add, __atomic_fetch_add) \
    change(bits, type, fetch_sub, __atomic_fetch_sub) \
    change(bits, type, fetch_and, __atomic_fetch_and) \
    change(bits, type, fetch_or, __atomic_fetch_or) \
    change(bits, type, fetch_xor, __atomic_fetch_xor) \
    change(bits, type, fetch_nand, __atomic_fetch_nand) \
    compare(bits, type, strong) \
    compare(bits, type, weak) \
    exported type __tsan_atomic##bits##_compare_exchange_val( \
        volatile type *address, type expected, type value, int order, int failure) { \
        (void)order, (void)failure; \
        type found = expected; \
        beforeExchange(address, here, found, value); \
        bool isDone = __atomic_compare_exchange_n( \
            address, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        afterExchange(address, here, found, value, isDone); \
        return expected; \
    }
atomics(8, uint8_t)
atomics(16, uint16_t)
atomics(32, uint32_t)
atomics(64, uint64_t)

exported void __tsan_atomic_thread_fence(int order) { (void)order; __atomic_thread_fence(__ATOMIC_SEQ_CST); }
exported void __tsan_atomic_signal_fence(int order) { (void)order; }
