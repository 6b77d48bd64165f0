import Workbook

/// Breaks lines that are too long for a terminal where the language may break them.
///
/// A line breaks at a space, or between two letters where their language allows it (`Language.breakableLetters`). A word that
/// is longer than a line is cut behind a slash; or else before a dot, or behind a bracket or a comma; or else between
/// characters. Escape codes take no cells and are kept where they stand. A continued line is indented as far as the line it
/// continues, and behind its mark; of a comment each line begins as the first one does.
public enum TextWrap {
    /// What a line is made of: text that is not broken, and the spaces after it.
    private struct Piece {
        var text = ""
        var width = 0
        var spaces = ""
        /// Where the text may be cut if it gets longer than a line, and how wide it is up to there.
        var seam: (index: String.Index, width: Int, isSlash: Bool)?

        /// Here the text may be cut. A path is cut between its folders, and not within a name.
        mutating func mark(isSlash: Bool) {
            guard isSlash || seam?.isSlash != true else { return }
            seam = (text.endIndex, width, isSlash)
        }
    }

    private static let seams: Set<Character> = ["(", "[", "{", "<", ",", ":"]

    public static func lines(_ line: String, columns: Int) -> [String] {
        guard columns > 4, visibleWidth(line) > columns else { return [line] }
        var indent = String(line.prefix { $0 == " " }.prefix(columns / 2))
        let first = indent
        let words = line.dropFirst(indent.count)
        // What belongs to a marked line stands under its text and not under its mark.
        if beginsWithMark(words) { indent += "  " }
        // Code stays code.
        if let mark = ["/// ", "// "].first(where: words.hasPrefix) { indent += mark }
        var wrapped: [String] = []
        var current = first
        var width = first.count
        var isEmpty = true
        for piece in pieces(words, columns: columns - indent.count) {
            if !isEmpty, width + piece.width > columns {
                wrapped.append(trimmed(current))
                (current, width) = (indent, indent.count)
            }
            current += piece.text + piece.spaces
            width += piece.width + piece.spaces.count
            isEmpty = false
        }
        wrapped.append(trimmed(current))
        return wrapped
    }

    /// Whether the line begins with a mark of its own and a space: an item of a list, a test's verdict, a line that was printed.
    private static func beginsWithMark(_ words: Substring) -> Bool {
        var reader = EscapeReader()
        var mark: Character?
        for character in words where !reader.isEscape(character) {
            if let mark { return character == " " && marks.contains(mark) }
            mark = character
        }
        return false
    }

    private static let marks = Set("-✗✓★○│x+*|!>")

    /// How many cells a line takes, not counting escape codes.
    public static func visibleWidth(_ line: String) -> Int {
        guard line.contains("\u{1B}") else { return CellWidth.of(line) }
        var reader = EscapeReader()
        return line.reduce(0) { $0 + (reader.isEscape($1) ? 0 : CellWidth.of($1)) }
    }

    private static func trimmed(_ line: String) -> String {
        var line = line[...]
        while line.last == " " { line = line.dropLast() }
        return String(line)
    }

    private static func pieces(_ text: Substring, columns: Int) -> [Piece] {
        var pieces: [Piece] = []
        var piece = Piece()
        var previous: Character?
        var reader = EscapeReader()
        func close() {
            if !piece.text.isEmpty || !piece.spaces.isEmpty { pieces.append(piece) }
            piece = Piece()
        }
        func cut() {
            guard let seam = piece.seam else { return close() }
            let rest = Piece(text: String(piece.text[seam.index...]), width: piece.width - seam.width)
            piece = Piece(text: String(piece.text[..<seam.index]), width: seam.width)
            close()
            piece = rest
        }
        for character in text {
            if reader.isEscape(character) {
                // An escape code after spaces belongs to what follows them.
                if !piece.spaces.isEmpty { close() }
                piece.text.append(character)
                continue
            }
            if character == " " {
                piece.spaces.append(character)
                previous = character
                continue
            }
            let cells = CellWidth.of(character)
            if !piece.spaces.isEmpty || mayBreak(between: previous, and: character) { close() }
            if piece.width + cells > columns { cut() }
            // `RunLoop` and `.main`: a member goes on where Swift's own style begins a line.
            if character == ".", previous?.isLetter == true, piece.width > 0 { piece.mark(isSlash: false) }
            piece.text.append(character)
            piece.width += cells
            if character == "/" || seams.contains(character) { piece.mark(isSlash: character == "/") }
            previous = character
        }
        close()
        return pieces
    }

    private static func mayBreak(between left: Character?, and right: Character) -> Bool {
        guard let left, isBreakable(left) || isBreakable(right) else { return false }
        return !openingMarks.contains(left) && !closingMarks.contains(right)
    }

    private static let breakableLetters = Language.allCases.flatMap(\.breakableLetters)
    private static let closingMarks = Set(Language.allCases.map(\.closingMarks).joined())
    private static let openingMarks = Set(Language.allCases.map(\.openingMarks).joined())

    /// Whether a line may be broken before and after this letter, without a space.
    static func isBreakable(_ character: Character) -> Bool {
        guard let value = character.unicodeScalars.first?.value, value >= 0x80 else { return false }
        return breakableLetters.contains { $0.contains(value) }
    }
}

/// Follows a text character by character and says which of them belong to an escape code.
private struct EscapeReader {
    private enum State { case text, introduced, parameters, string }
    private var state = State.text

    mutating func isEscape(_ character: Character) -> Bool {
        switch state {
        case .text:
            guard character == "\u{1B}" else { return false }
            state = .introduced
        case .introduced:
            state = character == "[" ? .parameters : character == "]" ? .string : .text
        case .parameters:
            if let value = character.asciiValue, (0x40...0x7E).contains(value) { state = .text }
        case .string:
            // A link ends with an escape and a backslash.
            if character == "\u{07}" { state = .text } else if character == "\u{1B}" { state = .introduced }
        }
        return true
    }
}
