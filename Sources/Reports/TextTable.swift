import Workbook

/// Columns that line up in every script, since they are counted in cells.
public struct TextTable: Sendable, Equatable {
    public enum Alignment: Sendable { case leading, trailing }

    /// A cell's text, and how it is dressed once it has its width.
    public struct Cell: Sendable, ExpressibleByStringLiteral {
        public var text: String
        public var dress: @Sendable (String) -> String

        public init(_ text: String, dress: @escaping @Sendable (String) -> String = { $0 }) {
            self.text = text
            self.dress = dress
        }

        public init(stringLiteral value: String) { self.init(value) }
    }

    private var alignments: [Alignment]
    private var rows: [[Cell]] = []
    /// What stands on lines of its own, before the row of this number.
    private var headings: [Int: [Cell]] = [:]

    public init(_ alignments: [Alignment]) { self.alignments = alignments }

    public static func == (left: TextTable, right: TextTable) -> Bool {
        left.alignments == right.alignments && left.rows.map { $0.map(\.text) } == right.rows.map { $0.map(\.text) }
    }

    public mutating func add(_ cells: Cell...) { rows.append(cells) }
    public mutating func add(_ cells: [Cell]) { rows.append(cells) }

    /// Starts a group of rows: the heading is no part of any column.
    public mutating func addHeading(_ cell: Cell) { headings[rows.count, default: []].append(cell) }

    /// The lines, two cells between the columns and none at the end of a line.
    ///
    /// Where `columns` are too few for that, prose in the last column is broken in its place, and what is no prose stands on a
    /// line of its own; where even that has no room, each row becomes a paragraph.
    public func lines(columns: Int? = nil) -> [String] {
        linesOfRows(columns: columns).enumerated().flatMap { index, lines in
            (headings[index] ?? []).map { $0.dress($0.text) } + lines
        }
    }

    private func linesOfRows(columns: Int?) -> [[String]] {
        let widths = alignments.indices.map { column in
            rows.map { column < $0.count ? CellWidth.of($0[column].text) : 0 }.max() ?? 0
        }
        let whole = widths.reduce(0) { $0 + $1 + 2 } - 2
        guard let columns, whole > columns else { return aligned(rows, widths).map { [$0] } }
        let before = whole - (widths.last ?? 0)
        let isProse = rows.contains { $0.count == widths.count && $0.last?.text.contains(" ") == true }
        if isProse, columns - before >= Self.readable {
            return rows.map { broken($0, widths, at: before, columns: columns) }
        }
        if !isProse, before - 2 <= columns {
            let indent = String(repeating: " ", count: widths[0] + 2)
            return rows.map { row in
                guard row.count == widths.count, let last = row.last else { return aligned([row], widths) }
                return aligned([Array(row.dropLast())], widths) + [indent + last.dress(last.text)]
            }
        }
        return rows.map { paragraph($0, columns: columns) }
    }

    /// The lines with a column a row and a row a column, where the table is wider than it may be: the first column says what
    /// stands in each line, and the rows are next to each other, as many at a time as there is room for.
    public func lines(turningAt columns: Int?) -> [String] {
        let upright = lines()
        guard let columns, upright.contains(where: { TextWrap.visibleWidth($0) > columns }), let heads = rows.first
        else {
            return upright
        }
        let first = heads.map { CellWidth.of($0.text) }.max() ?? 0
        var lines: [String] = []
        var others = rows.dropFirst()
        while !others.isEmpty {
            var width = first
            let fitting = others.prefix { row in
                width += 2 + (row.map { CellWidth.of($0.text) }.max() ?? 0)
                return width <= columns
            }
            let block = fitting.isEmpty ? others.prefix(1) : fitting
            others = others.dropFirst(block.count)
            var table = TextTable([.leading] + .init(repeating: .trailing, count: block.count))
            for (index, head) in heads.enumerated() {
                table.rows.append([head] + block.map { index < $0.count ? $0[index] : "" })
            }
            lines += (lines.isEmpty ? [] : [""]) + table.lines()
        }
        return lines
    }

    /// A column of prose that is narrower than this is hard to read.
    private static let readable = 24

    private func broken(_ row: [Cell], _ widths: [Int], at start: Int, columns: Int) -> [String] {
        guard row.count == widths.count, let last = row.last else { return aligned([row], widths) }
        let parts = TextWrap.lines(last.text, columns: columns - start)
        let first = aligned([row.dropLast() + [Cell(parts[0], dress: last.dress)]], widths)
        return first + parts.dropFirst().map { String(repeating: " ", count: start) + last.dress($0) }
    }

    /// What a row says, one cell after the other; what has no room goes on in lines that are set in.
    private func paragraph(_ row: [Cell], columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var width = 0
        let indent = String(repeating: " ", count: (row.first?.text.prefix { $0 == " " }.count ?? 0) + 2)
        for cell in row where !cell.text.isEmpty {
            let cells = CellWidth.of(cell.text)
            if width > 0, width + 2 + cells > columns {
                lines.append(line)
                (line, width) = (indent, indent.count)
            } else if width > 0 {
                (line, width) = (line + "  ", width + 2)
            }
            line += cell.dress(cell.text)
            width += cells
        }
        return lines + [line]
    }

    private func aligned(_ rows: [[Cell]], _ widths: [Int]) -> [String] {
        rows.map { row in
            let last = row.lastIndex { !$0.text.isEmpty } ?? 0
            return row.enumerated().prefix(last + 1).map { column, cell in
                let gap = String(repeating: " ", count: max(0, widths[column] - CellWidth.of(cell.text)))
                switch alignments[column] {
                case .trailing: return gap + cell.dress(cell.text)
                case .leading: return cell.dress(cell.text) + (column == last ? "" : gap)
                }
            }.joined(separator: "  ")
        }
    }
}
