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

    public init(_ alignments: [Alignment]) { self.alignments = alignments }

    public static func == (left: TextTable, right: TextTable) -> Bool {
        left.alignments == right.alignments && left.rows.map { $0.map(\.text) } == right.rows.map { $0.map(\.text) }
    }

    public mutating func add(_ cells: Cell...) { rows.append(cells) }

    /// The lines, two cells between the columns and none at the end of a line.
    public func lines() -> [String] {
        let widths = alignments.indices.map { column in
            rows.map { column < $0.count ? CellWidth.of($0[column].text) : 0 }.max() ?? 0
        }
        return rows.map { row in
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
