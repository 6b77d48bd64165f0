// Part of every test process that the portable engine starts.
//
// SwiftPM buffers what a test process prints, and throws it away when it is interrupted. So the process writes into a named
// pipe of the grader's instead, a line at a time.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void limit(int resource, const char *name, rlim_t unit) {
    const char *value = getenv(name);
    if (!value) return;
    struct rlimit limit = {(rlim_t)atoll(value) * unit, (rlim_t)atoll(value) * unit};
    // The kernel ends a process at the soft limit with a signal that names the reason.
    if (resource == RLIMIT_CPU) limit.rlim_max += 2;
    setrlimit(resource, &limit);
}

// Runs on the stack of the thread. Where the stack is used up, it cannot run, and nothing is printed.
static void report_stray_access(int number) {
    static const char words[] = "\nThe process reached for memory that is not there.\n";
    ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
    (void)written;
    signal(number, SIG_DFL);
}

__attribute__((constructor)) static void begin(int argc, char **argv) {
    // SwiftPM also starts the program to list the tests, and reads the list from standard output.
    for (int index = 1; index < argc; index++)
        if (!strcmp(argv[index], "--dump-tests-json") || !strcmp(argv[index], "--list-tests")) return;
    const char *path = getenv("GRADER_RUN_OUTPUT");
    if (!path) return;
    int output = open(path, O_WRONLY | O_NONBLOCK);
    // The grader has gone.
    if (output < 0) _exit(1);
    fcntl(output, F_SETFL, 0);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    close(output);
    setvbuf(stdout, NULL, _IOLBF, 1 << 12);

    limit(RLIMIT_CORE, "GRADER_RUN_CORE", 1);
    limit(RLIMIT_CPU, "GRADER_RUN_PROCESSOR_SECONDS", 1);
    limit(RLIMIT_FSIZE, "GRADER_RUN_FILE_MEGABYTES", 1 << 20);
#ifdef __linux__
    limit(RLIMIT_AS, "GRADER_RUN_MEMORY_MEGABYTES", 1 << 20);
#endif
    signal(SIGSEGV, report_stray_access);
    signal(SIGBUS, report_stray_access);
    // Without the grader, the process must not outlive its time.
    const char *seconds = getenv("GRADER_RUN_SECONDS");
    if (seconds) alarm((unsigned)atoi(seconds));
}
