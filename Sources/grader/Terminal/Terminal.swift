import Foundation
import Storage

#if canImport(Glibc)
import Glibc
#endif

/// The terminal that a person sits at: its size, its keys, and what it shows.
///
/// While it is taken, keys arrive one by one and the whole screen is ours; leaving gives it back as it was found.
final class Terminal {
    struct Size: Equatable, Sendable {
        var columns: Int
        var rows: Int
    }

    private let input: Int32
    private let output: Int32
    private var found: termios?

    init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
        self.input = input
        self.output = output
    }

    static func isTerminal(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) -> Bool {
        isatty(input) == 1 && isatty(output) == 1
    }

    /// The size now; what terminals have had for decades where it does not say.
    var size: Size {
        var window = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// Takes the screen and the keys. False when there is no terminal any more.
    @discardableResult
    func take() -> Bool {
        var settings = termios()
        guard tcgetattr(input, &settings) == 0 else { return false }
        if found == nil { found = settings }
        // Signals stay as they are, so Ctrl-C and Ctrl-Z do what they do everywhere.
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN)
        // The terminal would throw away what we write in answer to Ctrl-Z, and stay on our screen.
        settings.c_lflag |= tcflag_t(NOFLSH)
        settings.c_iflag &= ~tcflag_t(ICRNL | IXON)
        guard tcsetattr(input, TCSADRAIN, &settings) == 0 else { return false }
        // The other screen, no cursor, no wrapping of long lines.
        return write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J\u{1B}[H")
    }

    /// Gives everything back as it was found.
    func leave() {
        guard var settings = found else { return }
        found = nil
        tcsetattr(input, TCSADRAIN, &settings)
        write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    }

    /// Shows the lines, one below the other from the top, at once: nothing flickers.
    ///
    /// A line's place is erased before it is written: behind a line as wide as the screen the cursor still stands on the last
    /// cell, and to erase from there would take its last character.
    @discardableResult
    func show(_ lines: [String]) -> Bool {
        let body = lines.enumerated().map { index, line in
            (index == lines.count - 1 ? "\u{1B}[J" : "\u{1B}[K") + line + "\u{1B}[0m"
        }
        return write("\u{1B}[?2026h\u{1B}[H" + body.joined(separator: "\r\n") + "\u{1B}[?2026l")
    }

    /// False when the terminal is gone.
    @discardableResult
    func write(_ text: String) -> Bool {
        (try? Descriptor(output).write(Array(text.utf8))) != nil
    }
}
