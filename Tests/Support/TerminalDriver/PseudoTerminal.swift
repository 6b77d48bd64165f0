import Foundation

import Glibc

/// A program at a terminal of its own, and the test as the user who types and reads.
///
/// The terminal is a real pseudo-terminal. Its screen is what a terminal would show after everything that was written.
public final class PseudoTerminal {
    /// For how many seconds to wait for the program. Even on a busy machine, only a program that hangs takes so long.
    public static let patience = 300.0

    private var control: Int32
    /// The program at the terminal.
    public let process: pid_t
    public private(set) var screen: ScreenCells
    private var isReaped = false
    private var isRecording = false
    private var recorded: [UInt8] = []

    /// What `ptsname` and `unlockpt` ask the kernel; Glibc's module does not show them.
    private static let number: UInt = 0x8004_5430
    private static let unlock: UInt = 0x4004_5431

    /// What was expected of the program, and what it did instead.
    public struct Failure: Error, CustomStringConvertible {
        public var description: String

        public init(description: String) { self.description = description }
    }

    public init(
        _ program: URL, _ arguments: [String], environment: [String: String], folder: URL, columns: Int, rows: Int
    )
        throws
    {
        screen = ScreenCells(columns: columns, rows: rows)
        control = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var locked: Int32 = 0
        var number: Int32 = 0
        guard control >= 0, ioctl(control, Self.unlock, &locked) == 0, ioctl(control, Self.number, &number) == 0 else {
            throw Failure(description: "Expected a pseudo-terminal from /dev/ptmx: \(String(cString: strerror(errno)))")
        }
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(control, UInt(TIOCSWINSZ), &size)
        _ = fcntl(control, F_SETFD, FD_CLOEXEC)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/pts/\(number)", O_RDWR | O_NOCTTY, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        // A process session of its own, controlled by this terminal, in this folder.
        let command = ["/usr/bin/setsid", "--ctty", "/usr/bin/env", "-C", folder.path, program.path] + arguments
        let words = command.map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + settings).forEach { free($0) } }
        var process = pid_t()
        let error = posix_spawn(&process, command[0], &actions, nil, words, settings)
        guard error == 0 else {
            throw Failure(description: "Expected to start \(command[0]): \(String(cString: strerror(error)))")
        }
        self.process = process
    }

    deinit {
        if !isReaped {
            kill(process, SIGKILL)
            var status: Int32 = 0
            waitpid(process, &status, 0)
        }
        if control >= 0 { close(control) }
    }

    /// Closes the terminal's window: the program loses its terminal at once.
    public func hangUp() {
        close(control)
        control = -1
    }

    public func type(_ keys: String) {
        var bytes = Array(keys.utf8)
        _ = write(control, &bytes, bytes.count)
    }

    public func resize(columns: Int, rows: Int) {
        screen = ScreenCells(columns: columns, rows: rows)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(control, UInt(TIOCSWINSZ), &size)
    }

    public func signal(_ number: Int32) { kill(process, number) }

    /// Continues the program and the processes it has started, as a shell's `fg` does.
    public func resume() { kill(-process, SIGCONT) }

    /// Reads until the screen is as wanted.
    public func wait(
        for what: String, within seconds: Double = PseudoTerminal.patience, until isThere: (ScreenCells) -> Bool
    ) throws {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while screen.isBeingDrawn || !isThere(screen) {
            guard try read(before: deadline) else {
                throw Failure(description: "Expected \(what). The screen shows:\n\(screen.text)")
            }
        }
    }

    public func wait(for text: String, within seconds: Double = PseudoTerminal.patience) throws {
        try wait(for: "“\(text)”", within: seconds) { $0.text.contains(text) }
    }

    public func waitForAbsence(of text: String, within seconds: Double = PseudoTerminal.patience) throws {
        try wait(for: "“\(text)” to be gone", within: seconds) { !$0.text.contains(text) }
    }

    /// Reads on until the program has ended, and returns how. A program that does not end by itself is killed.
    public func exitCode(within seconds: Double = PseudoTerminal.patience) throws -> Int32 {
        try killedUnlessDone(within: seconds) {
            let deadline = Date(timeIntervalSinceNow: seconds + 5)
            while try read(before: deadline) {}
            var status: Int32 = 0
            guard waitpid(process, &status, 0) == process else {
                throw Failure(description: "Nothing was there to end.")
            }
            isReaped = true
            return (status & 0x7F) == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
        }
    }

    /// Reads on until the program has ended, and returns all that it writes from here on.
    public func allThatIsWritten(within seconds: Double = PseudoTerminal.patience) throws -> String {
        isRecording = true
        _ = try exitCode(within: seconds)
        return String(decoding: recorded, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    }

    /// Waits until the program has stopped, as Ctrl-Z makes it: a signal to continue before that would be lost.
    public func untilStopped(within seconds: Double = PseudoTerminal.patience) throws {
        try killedUnlessDone(within: seconds) {
            var status: Int32 = 0
            guard waitpid(process, &status, WUNTRACED) == process else {
                throw Failure(description: "Nothing was there to stop.")
            }
            isReaped = status & 0xFF != 0x7F
            if isReaped { throw Failure(description: "The program ended, and should only have stopped.") }
        }
    }

    private func killedUnlessDone<Result>(within seconds: Double, _ work: () throws -> Result) rethrows -> Result {
        let process = process
        let end = DispatchWorkItem { kill(process, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: end)
        defer { end.cancel() }
        return try work()
    }

    /// How the terminal itself is set: whether it echoes what is typed and waits for whole lines.
    public var isCooked: Bool {
        var settings = termios()
        guard tcgetattr(control, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ECHO) != 0 && settings.c_lflag & tcflag_t(ICANON) != 0
    }

    /// False if nothing was read before the deadline, or nothing can be read any more.
    private func read(before deadline: Date) throws -> Bool {
        guard control >= 0 else { return false }
        var ready = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
        let wait = Int32(max(0, deadline.timeIntervalSinceNow * 1000))
        guard poll(&ready, 1, wait) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(control, &bytes, bytes.count)
        guard count > 0 else { return false }
        screen.write(bytes.prefix(count))
        if isRecording { recorded += bytes.prefix(count) }
        return true
    }
}
