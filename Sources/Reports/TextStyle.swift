import Foundation
import Workbook

/// What the place that a text is written to can show.
public struct TextStyle: Sendable, Equatable {
    /// Whether escape codes are understood and wanted.
    public var isColored: Bool
    /// Whether the encoding is UTF-8; otherwise what we draw is ASCII.
    public var isUnicode: Bool
    /// How many cells a line has.
    public var columns: Int

    public init(isColored: Bool, isUnicode: Bool, columns: Int = 80) {
        self.isColored = isColored
        self.isUnicode = isUnicode
        self.columns = columns
    }

    public func bold(_ text: String) -> String { escaped("1", text) }
    public func dim(_ text: String) -> String { escaped("2", text) }
    public func red(_ text: String) -> String { escaped("31", text) }
    public func green(_ text: String) -> String { escaped("32", text) }
    public func yellow(_ text: String) -> String { escaped("33", text) }

    private func escaped(_ code: String, _ text: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    /// The mark that stands before what passed.
    public var good: String { green(isUnicode ? "✓" : "+") }
    /// Stands before what is mastered: more than passed.
    public var best: String { green(isUnicode ? "★" : "*") }
    public var bad: String { red(isUnicode ? "✗" : "x") }
    public var doubtful: String { yellow("!") }
    public var open: String { dim(isUnicode ? "○" : "-") }
    /// How far a kata is, in one cell.
    public func mark(_ outcome: Verdict.Outcome) -> String {
        switch outcome {
        case .mastered: best
        case .passed: good
        case .notStarted: open
        case .failed, .didNotCompile, .rejected: bad
        }
    }
    /// Stands before each line of what the learner's code printed.
    public var quote: String { dim(isUnicode ? "│" : "|") }
    /// Between two facts on one line.
    public var separator: String { isUnicode ? " · " : " - " }
    /// Stands for what was cut away.
    public var ellipsis: String { isUnicode ? "…" : "..." }

    /// A share of `cells`, drawn.
    public func bar(_ share: Double, cells: Int) -> String { bar([share], cells: cells) }

    /// Shares of `cells`, drawn over each other: the first one in full, what the next ones have more in a lighter tone.
    public func bar(_ shares: [Double], cells: Int) -> String {
        let ends = shares.map { max(0, min(cells, Int(($0 * Double(cells)).rounded(.down)))) }
        return String(
            (0..<cells).map { cell -> Character in
                switch ends.firstIndex(where: { cell < $0 }) {
                case 0: isUnicode ? "█" : "#"
                case nil: isUnicode ? "░" : "."
                default: isUnicode ? "▒" : "="
                }
            })
    }

    /// A text that terminals open a file by.
    public func link(_ text: String, to file: URL) -> String {
        isColored ? "\u{1B}]8;;\(file.absoluteString)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\" : text
    }

    /// The lines that a text is made of.
    public static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Our own punctuation in ASCII where the place shows no more; letters are left as they are.
    public func folded(_ text: String) -> String {
        guard !isUnicode else { return text }
        var result = ""
        for character in text {
            switch character {
            case "“", "”": result += "\""
            case "‘", "’": result += "'"
            case "…": result += "..."
            case "–", "·": result += "-"
            case "→": result += "->"
            case "\u{A0}", "\u{202F}": result += " "
            case "\u{2400}"..."\u{2421}": result += Self.caret(character)
            default: result.append(character)
            }
        }
        return result
    }

    /// `^[` for the picture of an escape, as terminals have always shown control characters.
    private static func caret(_ picture: Character) -> String {
        let value = (picture.unicodeScalars.first?.value ?? 0x2421) - 0x2400
        return value < 0x20 ? "^" + String(Character(Unicode.Scalar(UInt8(value + 0x40)))) : "^?"
    }

    /// A text that comes from elsewhere, so that it cannot steer the terminal: control characters are shown, not sent.
    public static func harmless(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\r" { continue }
            if isControl(scalar) {
                // The pictures of control characters stand in the same order as the characters.
                result.append(Unicode.Scalar(scalar.value < 0x20 ? 0x2400 + scalar.value : 0x2421) ?? "?")
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0: true
        // What turns the direction of a line around can make code look like other code.
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
