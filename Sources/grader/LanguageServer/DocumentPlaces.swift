import Workbook

/// Turns the places that the compiler counts in bytes into those that a client counts in UTF-16, from 0.
struct DocumentPlaces: Sendable {
    struct Place: Equatable, Sendable {
        var line: Int
        var character: Int

        var json: JSONValue { .object(["line": .integer(line), "character": .integer(character)]) }
    }

    struct Span: Equatable, Sendable {
        var start: Place
        var end: Place

        var json: JSONValue { .object(["start": start.json, "end": end.json]) }

        func contains(_ place: Place) -> Bool {
            let (from, here, to) = (
                (start.line, start.character), (place.line, place.character), (end.line, end.character)
            )
            return from <= here && here <= to
        }
    }

    private let bytes: [UInt8]
    /// Without what ends each.
    private let lines: [Range<Int>]

    init(_ text: String) {
        let bytes = Array(text.utf8)
        var lines: [Range<Int>] = []
        var (start, index) = (0, 0)
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                lines.append(start..<index)
                let isPair = byte == UInt8(ascii: "\r") && bytes[index...].dropFirst().first == UInt8(ascii: "\n")
                index += isPair ? 1 : 0
                start = index + 1
            }
            index += 1
        }
        lines.append(start..<bytes.count)
        self.bytes = bytes
        self.lines = lines
    }

    /// What the compiler means by a line and a column, from 1: the word that stands there. A place that the text does not have
    /// becomes the nearest line.
    func span(line: Int, column: Int) -> Span {
        let line = min(max(line - 1, 0), lines.count - 1)
        let start = min(lines[line].lowerBound + max(column - 1, 0), lines[line].upperBound)
        let word = bytes[start..<lines[line].upperBound].prefix(while: isName)
        return Span(
            start: place(start, on: line), end: place(min(start + max(word.count, 1), lines[line].upperBound), on: line)
        )
    }

    /// What stands on a line, from 1, without the spaces around it.
    func span(line: Int) -> Span {
        let line = min(max(line - 1, 0), lines.count - 1)
        let content = bytes[lines[line]]
        guard let first = content.firstIndex(where: { !isSpace($0) }),
            let last = content.lastIndex(where: { !isSpace($0) })
        else {
            return Span(start: place(lines[line].lowerBound, on: line), end: place(lines[line].upperBound, on: line))
        }
        return Span(start: place(first, on: line), end: place(last + 1, on: line))
    }

    func span(_ range: Range<Int>) -> Span {
        let line = lines.lastIndex { $0.lowerBound <= range.lowerBound } ?? 0
        return Span(
            start: place(range.lowerBound, on: line),
            end: place(min(range.upperBound, lines[line].upperBound), on: line))
    }

    /// The whole text.
    var all: Span {
        Span(start: Place(line: 0, character: 0), end: place(bytes.count, on: lines.count - 1))
    }

    private func place(_ byte: Int, on line: Int) -> Place {
        Place(line: line, character: String(decoding: bytes[lines[line].lowerBound..<byte], as: UTF8.self).utf16.count)
    }

    private func isName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
            || (byte >= 0x30 && byte <= 0x39)
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
