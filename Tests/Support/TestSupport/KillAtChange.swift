import Foundation

/// Kills the grader at its first, second, third … change to a file, each in a run of its own. Together these runs leave
/// every state of the disk that a kill can leave. A kill at a random moment rarely leaves one of them, and never all.
///
/// A small library does it. It is loaded into the program before the C library, and replaces the functions that change
/// files. When the grader is killed at a write, half of the bytes are written.
public enum KillAtChange {
    /// The environment in which the grader is killed at this change.
    public static func environment(_ number: Int) async throws -> [String: String] {
        ["LD_PRELOAD": try await library.value, "KILL_AT_CHANGE": "\(number)"]
    }

    private static let library = Task { try await PreloadedLibrary.compile("KillAtChange", source) }

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <signal.h>
        #include <stdarg.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/stat.h>
        #include <unistd.h>

        static int left;

        __attribute__((constructor)) static void begin(void) {
            const char *number = getenv("KILL_AT_CHANGE");
            if (number && strcmp(program_invocation_short_name, "grader") == 0) left = atoi(number);
        }

        static int due(void) { return left > 0 && __atomic_sub_fetch(&left, 1, __ATOMIC_SEQ_CST) == 0; }
        static void die(void) { for (;;) kill(getpid(), SIGKILL); }

        #define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

        ssize_t write(int file, const void *bytes, size_t count) {
            struct stat about;
            if (left > 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) && due()) {
                NEXT(write)(file, bytes, count / 2);
                die();
            }
            return NEXT(write)(file, bytes, count);
        }

        #define CHANGE(result, name, parameters, arguments) \\
            result name parameters { if (due()) die(); return NEXT(name) arguments; }

        CHANGE(int, fsync, (int file), (file))
        CHANGE(int, fdatasync, (int file), (file))
        CHANGE(int, ftruncate, (int file, off_t size), (file, size))
        CHANGE(int, rename, (const char *from, const char *to), (from, to))
        CHANGE(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to))
        CHANGE(int, link, (const char *from, const char *to), (from, to))
        CHANGE(int, unlink, (const char *path), (path))
        CHANGE(int, rmdir, (const char *path), (path))
        CHANGE(int, mkdir, (const char *path, mode_t mode), (path, mode))

        int open(const char *path, int flags, ...) {
            mode_t mode = 0;
            if (flags & O_CREAT) {
                va_list rest;
                va_start(rest, flags);
                mode = va_arg(rest, mode_t);
                va_end(rest);
                if (due()) die();
            }
            return NEXT(open)(path, flags, mode);
        }
        """
}
