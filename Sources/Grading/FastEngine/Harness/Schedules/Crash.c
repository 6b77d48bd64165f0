// A crash ends the process. The order in which it came is told before.
#define _GNU_SOURCE
#include "Scheduler.h"
#include <signal.h>
#include <stdlib.h>

static _Atomic uint32_t state;
enum { nothing, hasCrashed, wasTold };

static struct sigaction earlier[NSIG];
static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};

static void onCrash(int number) {
    struct Thread *thread = current;
    current = NULL;
    if (thread && atomic_exchange(&state, hasCrashed) == nothing) {
        wakeAll(&state);
        for (uint32_t look = 0; look < 200 && state != wasTold; look++) sleepUntilChanged(&state, hasCrashed, 10000000);
    }
    struct sigaction *before = &earlier[number];
    if (before->sa_handler == SIG_DFL || before->sa_handler == SIG_IGN) {
        signal(number, SIG_DFL);
        raise(number);
    } else {
        before->sa_handler(number);
    }
}

exported void schedules_awaitCrash(void) {
    struct sigaction action = {.sa_handler = onCrash, .sa_flags = SA_NODEFER};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) {
        sigaction(signals[index], &action, &earlier[signals[index]]);
    }
    while (state != hasCrashed) sleepUntilChanged(&state, nothing, 0);
    dropRacesOnLocks();
}

exported void schedules_crashWasTold(void) {
    state = wasTold;
    wakeAll(&state);
}
