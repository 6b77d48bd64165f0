import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The program that a learner writes with: what `VISUAL` or `EDITOR` names, or else Xcode or Visual Studio Code where they
/// are.
struct Editor: Sendable {
    /// As it would be typed before the name of a file.
    let command: String
    private let environment: [String: String]

    init?(environment: [String: String]) {
        self.environment = environment
        let named = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        let found = ["xed", "code"].first { program in
            folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
        }
        guard let command = named ?? found else { return nil }
        self.command = command
    }

    /// Opens a file and waits until the program ends. False when it could not be started or failed.
    ///
    /// It is started in our own process group, so that it may use the terminal.
    func open(_ file: URL) -> Bool {
        // Ctrl-C is meant for the editor, and Ctrl-Z stops both.
        let before = [
            SIGINT: Self.answer(SIGINT, isIgnored: true), SIGQUIT: Self.answer(SIGQUIT, isIgnored: true),
            SIGTSTP: Self.answer(SIGTSTP, isIgnored: false),
        ]
        defer {
            for (signal, action) in before {
                var action = action
                sigaction(signal, &action, nil)
            }
        }
        #if canImport(Glibc)
        var attributes = posix_spawnattr_t()
        #else
        var attributes: posix_spawnattr_t?
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGINT)
        sigaddset(&defaults, SIGQUIT)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

        // In the shell's place: a shell that Ctrl-C ends would leave the editor behind.
        let arguments: [String] = ["/bin/sh", "-c", "exec " + command + " \"$1\"", "sh", file.path]
        let words = arguments.map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + settings).forEach { free($0) } }
        var process = pid_t()
        guard posix_spawn(&process, "/bin/sh", nil, &attributes, words, settings) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return false }
        }
        return status == 0
    }

    /// Ignores a signal, or leaves it to the system, and gives the answer that it had before.
    private static func answer(_ number: Int32, isIgnored: Bool) -> sigaction {
        var action = sigaction()
        #if canImport(Glibc)
        action.__sigaction_handler.sa_handler = isIgnored ? SIG_IGN : SIG_DFL
        #else
        action.__sigaction_u.__sa_handler = isIgnored ? SIG_IGN : SIG_DFL
        #endif
        var before = sigaction()
        sigaction(number, &action, &before)
        return before
    }
}
