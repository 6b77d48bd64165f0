import Foundation

/// A machine that has no room for a new process for a while.
public enum FullMachine {
    /// The environment in which the grader's first attempts to start a process fail.
    public static func environment(_ attempts: Int) async throws -> [String: String] {
        ["LD_PRELOAD": try await library.value, "FAILED_STARTS": "\(attempts)"]
    }

    private static let library = Task { try await PreloadedLibrary.compile("FullMachine", source) }

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <spawn.h>
        #include <stdlib.h>
        #include <string.h>

        static int left;

        __attribute__((constructor)) static void begin(void) {
            const char *number = getenv("FAILED_STARTS");
            if (number && strcmp(program_invocation_short_name, "grader") == 0) left = atoi(number);
        }

        int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
            if (__atomic_fetch_sub(&left, 1, __ATOMIC_SEQ_CST) > 0) return EAGAIN;
            return ((__typeof__(&posix_spawn))dlsym(RTLD_NEXT, "posix_spawn"))(
                pid, path, actions, attributes, arguments, environment);
        }
        """
}
