import Foundation
import Reports
import Storage
import Synchronization

/// Standard output and standard error, and what each of them can show.
struct Console: Sendable {
    /// What standard output can show.
    let output: TextStyle
    /// What standard error can show.
    let errors: TextStyle
    /// Whether a person sits at a terminal that can show the watch screen.
    let canWatch: Bool
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private let loss = OutputLoss()

    init(environment: [String: String]) {
        output = Self.style(of: STDOUT_FILENO, environment)
        errors = Self.style(of: STDERR_FILENO, environment)
        let terminal = environment["TERM"] ?? ""
        canWatch = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && !terminal.isEmpty && terminal != "dumb"
    }

    private static func style(of descriptor: Int32, _ environment: [String: String]) -> TextStyle {
        let isTerminal = isatty(descriptor) == 1
        let terminal = environment["TERM"] ?? ""
        let wantsNoColor = !(environment["NO_COLOR"] ?? "").isEmpty
        return TextStyle(
            isColored: isTerminal && !wantsNoColor && !terminal.isEmpty && terminal != "dumb",
            isUnicode: isUnicode(environment),
            columns: columns(of: descriptor) ?? environment["COLUMNS"].flatMap { Int($0) } ?? 80)
    }

    /// Whether the locale's encoding is UTF-8, read in the order that POSIX gives. A Mac's terminal always is.
    static func isUnicode(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        #if canImport(Darwin)
        guard let locale else { return true }
        #else
        guard let locale else { return false }
        #endif
        let encoding = locale.lowercased().split(separator: ".").dropFirst().first?.prefix { $0 != "@" } ?? ""
        return encoding == "utf-8" || encoding == "utf8"
    }

    private static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// How many cells a line on standard error may have now: a window may have been made narrower.
    var errorColumns: Int { Self.columns(of: STDERR_FILENO) ?? errors.columns }

    /// How many cells a line may have: as many as the terminal has, and any number in a pipe or a file, where each fact keeps
    /// its line.
    var lineWidth: Int? { isatty(STDOUT_FILENO) == 1 ? output.columns : nil }

    /// Writes lines to standard output, broken where their language may be broken when a terminal shows them.
    func print(_ lines: [String]) {
        write(fitted(lines, output, lineWidth), to: STDOUT_FILENO)
    }

    private func fitted(_ lines: [String], _ style: TextStyle, _ width: Int?) -> String {
        let folded = lines.flatMap(TextStyle.lines(of:)).map(style.folded)
        let broken = width.map { width in folded.flatMap { TextWrap.lines($0, columns: width) } } ?? folded
        return broken.map { $0 + "\n" }.joined()
    }

    func print(_ lines: String...) { print(lines) }

    /// Writes a brief: for reading on a terminal, as Markdown elsewhere.
    func printBrief(_ markdown: String) {
        guard lineWidth != nil else { return printVerbatim(markdown) }
        print(BriefText.lines(of: markdown, style: output))
    }

    /// Writes bytes as they are: JSON, a completion script, a source file.
    func printVerbatim(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Says something about the work itself, on standard error.
    func say(_ sentence: String) {
        write(fitted([sentence], errors, isatty(STDERR_FILENO) == 1 ? errors.columns : nil), to: STDERR_FILENO)
    }

    /// Says something on standard error as it is, with no line's end.
    func sayVerbatim(_ text: String) { write(text, to: STDERR_FILENO) }

    /// A stranger's text on one line, with nothing in it that a terminal obeys or that is not seen: such characters are
    /// written as Swift writes them, `\u{202E}`.
    func plain(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            // These join letters or keep them apart, in names of many languages.
            case .format where scalar == "\u{200C}" || scalar == "\u{200D}": String(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator:
                "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: String(scalar)
            }
        }.joined()
    }

    /// Why standard output could not take all of the text; `nil` where it could.
    var outputFailure: SystemFailure? { loss.first.withLock { $0 } }

    /// If the other end is closed, no more text is wanted. That is not an error, and the remaining work is still done.
    private func write(_ text: String, to descriptor: Int32) {
        do throws(SystemFailure) {
            try Descriptor(descriptor).write(Array(text.utf8))
        } catch {
            // A terminal that is closed is no loss either: there is no one left to read.
            let isClosed = error.code == EPIPE || (isTerminal && error.code == EIO)
            guard descriptor == STDOUT_FILENO, !isClosed else { return }
            loss.first.withLock { $0 = $0 ?? error }
        }
    }
}

/// The first reason why text for standard output was lost, shared by all copies of a console.
private final class OutputLoss: Sendable {
    let first = Mutex<SystemFailure?>(nil)
}
