import Foundation

/// A table in CSV, as a learning platform or a person made it. Where cells are changed, every other byte stays as it was.
public struct PlatformTable: Sendable, Equatable {
    private let bytes: [UInt8]
    private let separator: UInt8
    /// Where each cell is, with its quotes. Empty lines are left out.
    private let rows: [[Range<Int>]]
    /// By the place where the cell begins.
    private var changes: [Int: [UInt8]] = [:]

    /// The first line, without spaces around the names.
    let columns: [String]

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        separator = Self.separator(of: bytes[start...])
        rows = Self.rows(of: bytes, from: start, separator)
        columns = (rows.first ?? []).map {
            Self.text(of: bytes[$0]).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    public init(_ text: String) { self.init(Array(text.utf8)) }

    /// The rows below the names of the columns.
    var body: Range<Int> { min(1, rows.count)..<rows.count }

    /// The column with the first of these names that there is, in any letter case.
    func column(_ names: String...) -> Int? {
        names.lazy.compactMap { name in columns.firstIndex { $0.lowercased() == name } }.first
    }

    /// What a cell says; nothing where the row ends before it.
    func text(_ row: Int, _ column: Int?) -> String {
        guard let column, rows[row].indices.contains(column) else { return "" }
        return Self.text(of: bytes[rows[row][column]])
    }

    /// Changes a cell; one that the row does not have stays missing.
    mutating func set(_ row: Int, _ column: Int?, to text: String) {
        guard let column, rows[row].indices.contains(column) else { return }
        changes[rows[row][column].lowerBound] = Array(Self.field(text).utf8)
    }

    /// A field with quotes where they are needed, whatever stands between the cells.
    static func field(_ text: String) -> String {
        let needsQuotes = text.utf8.contains { [10, 13, 9, 44, 59, quote].contains($0) }
        return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }

    var data: Data {
        var result = Data()
        var end = 0
        for cell in rows.joined() {
            guard let change = changes[cell.lowerBound] else { continue }
            result.append(contentsOf: bytes[end..<cell.lowerBound])
            result.append(contentsOf: change)
            end = cell.upperBound
        }
        result.append(contentsOf: bytes[end...])
        return result
    }

    /// What stands between the cells: spreadsheets in many countries write a semicolon.
    private static func separator(of bytes: ArraySlice<UInt8>) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes {
            if byte == quote { isQuoted.toggle() }
            if byte == 10, !isQuoted { break }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let known = [",", ";", "\t"].map { UInt8(ascii: $0) }
        return known.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? known[0]
    }

    private static func rows(of bytes: [UInt8], from start: Int, _ separator: UInt8) -> [[Range<Int>]] {
        var rows: [[Range<Int>]] = []
        var row: [Range<Int>] = []
        var begin = start
        var isQuoted = false
        func end(_ index: Int) {
            row.append(begin..<index)
            if row.contains(where: { !$0.isEmpty }) { rows.append(row) }
            row = []
        }
        for (index, byte) in bytes.enumerated().dropFirst(start) {
            if byte == quote { isQuoted.toggle() }
            guard !isQuoted else { continue }
            if byte == separator {
                row.append(begin..<index)
                begin = index + 1
            } else if byte == 10 {
                end(index > begin && bytes[index - 1] == 13 ? index - 1 : index)
                begin = index + 1
            }
        }
        if begin < bytes.count || !row.isEmpty { end(bytes.count) }
        return rows
    }

    private static func text(of cell: ArraySlice<UInt8>) -> String {
        let text = String(decoding: cell, as: UTF8.self)
        guard text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count > 1 else { return text }
        return String(text.dropFirst().dropLast()).replacing("\"\"", with: "\"")
    }
}

private let quote = UInt8(ascii: "\"")
