import Foundation
import Testing
import Workbook

#if canImport(Glibc)
import Glibc
#endif

/// A program at a terminal of its own, with somebody who types and reads.
///
/// The terminal is a real pseudo-terminal; what it shows is what a terminal would show after everything that was written.
final class PseudoTerminal {
    private let control: Int32
    private let process: pid_t
    private(set) var screen: ScreenCells
    /// Everything that the program wrote.
    private(set) var transcript = ""
    private var isReaped = false

    /// What `ptsname` and `unlockpt` ask the kernel; Glibc's module does not show them.
    private static let number: UInt = 0x8004_5430
    private static let unlock: UInt = 0x4004_5431

    struct TimedOut: Error, CustomStringConvertible {
        var description: String
    }

    init(_ program: URL, _ arguments: [String], environment: [String: String], folder: URL, columns: Int, rows: Int)
        throws
    {
        screen = ScreenCells(columns: columns, rows: rows)
        control = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var locked: Int32 = 0
        var number: Int32 = 0
        try #require(
            control >= 0 && ioctl(control, Self.unlock, &locked) == 0 && ioctl(control, Self.number, &number) == 0)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(control, UInt(TIOCSWINSZ), &size) == 0)
        _ = fcntl(control, F_SETFD, FD_CLOEXEC)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/pts/\(number)", O_RDWR | O_NOCTTY, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        // A session of its own, led at this terminal, in this folder.
        let command = ["/usr/bin/setsid", "--ctty", "/usr/bin/env", "-C", folder.path, program.path] + arguments
        let words = command.map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + settings).forEach { free($0) } }
        var process = pid_t()
        try #require(posix_spawn(&process, command[0], &actions, nil, words, settings) == 0)
        self.process = process
    }

    deinit {
        if !isReaped {
            kill(process, SIGKILL)
            var status: Int32 = 0
            waitpid(process, &status, 0)
        }
        close(control)
    }

    func type(_ keys: String) {
        var bytes = Array(keys.utf8)
        _ = write(control, &bytes, bytes.count)
    }

    func resize(columns: Int, rows: Int) {
        screen = ScreenCells(columns: columns, rows: rows)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(control, UInt(TIOCSWINSZ), &size)
    }

    func signal(_ number: Int32) { kill(process, number) }

    /// Reads until the screen is as wanted.
    func wait(
        for what: String, within seconds: Double = 45, until isThere: (ScreenCells) -> Bool
    ) throws {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while !isThere(screen) {
            guard try read(before: deadline) else {
                throw TimedOut(description: "Expected \(what). The screen shows:\n\(screen.text)")
            }
        }
    }

    func wait(for text: String, within seconds: Double = 45) throws {
        try wait(for: "“\(text)”", within: seconds) { $0.text.contains(text) }
    }

    func waitForAbsence(of text: String, within seconds: Double = 45) throws {
        try wait(for: "“\(text)” to be gone", within: seconds) { !$0.text.contains(text) }
    }

    /// Reads on until the program has ended, and says how. One that does not end by itself is killed, and says so.
    func exitCode(within seconds: Double = 60) throws -> Int32 {
        try killedUnlessDone(within: seconds) {
            let deadline = Date(timeIntervalSinceNow: seconds + 5)
            while try read(before: deadline) {}
            var status: Int32 = 0
            try #require(waitpid(process, &status, 0) == process)
            isReaped = true
            return (status & 0x7F) == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
        }
    }

    /// Waits until the program has stopped, as Ctrl-Z makes it: to go on before that would be lost.
    func untilStopped(within seconds: Double = 60) throws {
        try killedUnlessDone(within: seconds) {
            var status: Int32 = 0
            try #require(waitpid(process, &status, WUNTRACED) == process)
            isReaped = status & 0xFF != 0x7F
            try #require(!isReaped, "The program ended, and should only have stopped.")
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
    var isCooked: Bool {
        var settings = termios()
        guard tcgetattr(control, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ECHO) != 0 && settings.c_lflag & tcflag_t(ICANON) != 0
    }

    /// False when nothing came before the deadline, or nothing can come any more.
    private func read(before deadline: Date) throws -> Bool {
        var ready = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
        let wait = Int32(max(0, deadline.timeIntervalSinceNow * 1000))
        guard poll(&ready, 1, wait) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        #if canImport(Glibc)
        let count = Glibc.read(control, &bytes, bytes.count)
        #else
        let count = Darwin.read(control, &bytes, bytes.count)
        #endif
        guard count > 0 else { return false }
        screen.write(bytes.prefix(count))
        transcript += String(decoding: bytes.prefix(count), as: UTF8.self)
        return true
    }
}

/// What a terminal shows: the cells, filled by the few codes that the program uses.
struct ScreenCells {
    let columns: Int
    let rows: Int
    private var cells: [[String]]
    private var row = 0
    private var column = 0
    private var pending: [UInt8] = []
    private(set) var isAlternate = false
    private(set) var isCursorShown = true

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    var lines: [String] {
        cells.map { row in
            var line = row.joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The screen as text, a no-break space read as a space.
    var text: String { lines.joined(separator: "\n").replacingOccurrences(of: "\u{A0}", with: " ") }

    mutating func write(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        // A character or a code that has only half arrived waits for its rest.
        var whole = pending.count
        while whole > 0, String(validating: pending.prefix(whole), as: UTF8.self) == nil, pending.count - whole < 4 {
            whole -= 1
        }
        guard let text = String(validating: pending.prefix(whole), as: UTF8.self) else { return }
        var rest = Array(text.unicodeScalars)[...]
        var run = String.UnicodeScalarView()
        while let scalar = rest.first {
            if scalar.value >= 0x20 {
                run.append(scalar)
                rest = rest.dropFirst()
                continue
            }
            put(String(run))
            run = .init()
            if scalar == "\u{1B}" {
                guard let length = Self.codeLength(rest) else { break }
                obey(rest.prefix(length))
                rest = rest.dropFirst(length)
            } else {
                if scalar == "\r" { column = 0 }
                if scalar == "\n" { row = min(row + 1, rows - 1) }
                rest = rest.dropFirst()
            }
        }
        put(String(run))
        var left = String.UnicodeScalarView()
        left.append(contentsOf: rest)
        pending = Array(String(left).utf8) + pending.dropFirst(whole)
    }

    private mutating func put(_ text: String) {
        for character in text {
            let width = CellWidth.of(character)
            guard width > 0, column + width <= columns else { continue }
            cells[row][column] = String(character)
            for extra in 1..<max(width, 1) { cells[row][column + extra] = "" }
            column += width
        }
    }

    private static func codeLength(_ scalars: ArraySlice<Unicode.Scalar>) -> Int? {
        let body = scalars.dropFirst()
        guard let kind = body.first else { return nil }
        if kind == "[" {
            guard let end = body.dropFirst().firstIndex(where: { (0x40...0x7E).contains($0.value) }) else { return nil }
            return end - scalars.startIndex + 1
        }
        if kind == "]" {
            guard let end = body.firstIndex(of: "\\") else { return nil }
            return end - scalars.startIndex + 1
        }
        return 2
    }

    private mutating func obey(_ code: ArraySlice<Unicode.Scalar>) {
        let text = code.map { String($0) }.joined()
        switch text.dropFirst() {
        case "[H": (row, column) = (0, 0)
        case "[2J": cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        case "[K": for column in column..<columns { cells[row][column] = " " }
        case "[J":
            for column in column..<columns { cells[row][column] = " " }
            for row in (row + 1)..<max(rows, row + 1) { cells[row] = Array(repeating: " ", count: columns) }
        case "[?1049h": isAlternate = true
        case "[?1049l": isAlternate = false
        case "[?25l": isCursorShown = false
        case "[?25h": isCursorShown = true
        default: break
        }
    }
}
