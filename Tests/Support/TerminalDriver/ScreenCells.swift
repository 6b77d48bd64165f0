import Workbook

/// What a terminal shows: the cells, filled by the few codes that the program uses.
public struct ScreenCells {
    public let columns: Int
    public let rows: Int
    private var cells: [[String]]
    private var row = 0
    /// Where the next character is written. After the last cell of a line, the cursor stays on that cell until then.
    private var column = 0
    private var pending: [UInt8] = []
    /// The main screen, which is shown again when the program leaves the alternate screen.
    private var main: (cells: [[String]], row: Int, column: Int)?
    /// Whether a line that is too long continues in the next one.
    private var isWrapping = true
    public var isAlternate: Bool { main != nil }
    public private(set) var isCursorShown = true
    /// Whether the program is drawing: the screen is half old and half new until it has finished.
    public private(set) var isBeingDrawn = false
    /// How many characters had no room in their line. A terminal that does not wrap loses them.
    public private(set) var lost = 0

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    public var lines: [String] {
        cells.map { row in
            var line = row.joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The screen as text, a no-break space read as a space.
    public var text: String { lines.joined(separator: "\n").replacingOccurrences(of: "\u{A0}", with: " ") }

    public mutating func write(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        // An incomplete character or code waits for the rest.
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
            // A combining mark that arrives after its letter.
            guard width > 0 else {
                if let letter = cells[row].prefix(column).lastIndex(where: { !$0.isEmpty }) {
                    cells[row][letter] += String(character)
                }
                continue
            }
            if column + width > columns {
                guard isWrapping, width <= columns else {
                    lost += 1
                    continue
                }
                (row, column) = (min(row + 1, rows - 1), 0)
            }
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

    /// Erases from the cursor, its own cell included. Half of a wide character counts as no character.
    private mutating func eraseRestOfLine() {
        let cursor = min(column, columns - 1)
        if cells[row][cursor].isEmpty, cursor > 0 { cells[row][cursor - 1] = " " }
        for column in cursor..<columns { cells[row][column] = " " }
    }

    private mutating func obey(_ code: ArraySlice<Unicode.Scalar>) {
        let text = code.map { String($0) }.joined()
        switch text.dropFirst() {
        case "[H": (row, column) = (0, 0)
        case "[2J": cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        case "[K": eraseRestOfLine()
        case "[J":
            eraseRestOfLine()
            for row in (row + 1)..<max(rows, row + 1) { cells[row] = Array(repeating: " ", count: columns) }
        case "[?1049h": main = main ?? (cells, row, column)
        case "[?1049l":
            if let main { (cells, row, column) = main }
            main = nil
        case "[?7l": isWrapping = false
        case "[?7h": isWrapping = true
        case "[?2026h": isBeingDrawn = true
        case "[?2026l": isBeingDrawn = false
        case "[?25l": isCursorShown = false
        case "[?25h": isCursorShown = true
        default: break
        }
    }
}
