import Foundation

/// Learners' names and output are data. Each form of report has its own way to keep them that.
enum PlainText {
    /// JSON on one line, the same for the same value.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Text for XML, in an element or an attribute. What XML has no way to write becomes U+FFFD.
    static func xml(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            // In an attribute these would be read back as spaces.
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case "\u{20}"..."\u{7E}", "\u{A0}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                result.unicodeScalars.append(scalar)
            default: result += "\u{FFFD}"
            }
        }
        return result
    }

    /// A field of a CSV that no spreadsheet takes for a formula: one line, quoted where it must be.
    static func csv(_ text: String) -> String {
        var field = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    scalar.value < 0x20 || scalar.value == 0x7F || scalar == "\u{85}" || scalar == "\u{2028}"
                        || scalar == "\u{2029}" ? " " : scalar
                }))
        let formula: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"]
        let first = field.unicodeScalars.first { !$0.properties.isWhitespace }
        // A quoted field that begins with an apostrophe is text for Excel, LibreOffice and Numbers alike.
        if let first, formula.contains(first) { field = "'" + field }
        let mustQuote = field.unicodeScalars.contains { $0 == "," || $0 == "\"" || $0 == ";" || $0 == "'" }
        let hasEdgeSpace = field.first?.isWhitespace == true || field.last?.isWhitespace == true
        return mustQuote || hasEdgeSpace ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
    }

    /// JSON that may stand within `<script>`: nothing in it ends the element or begins a comment.
    static func scriptJSON(_ value: some Encodable) throws -> String {
        // Bytes, since a page may hold megabytes; U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
        let bytes = Array(try json(value).utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 16)
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"): result += Array("\\u003c".utf8)
            case UInt8(ascii: ">"): result += Array("\\u003e".utf8)
            case UInt8(ascii: "&"): result += Array("\\u0026".utf8)
            case 0xE2 where index + 2 < bytes.count && bytes[index + 1] == 0x80 && bytes[index + 2] & 0xFE == 0xA8:
                result += Array((bytes[index + 2] == 0xA8 ? "\\u2028" : "\\u2029").utf8)
                index += 2
            default: result.append(bytes[index])
            }
            index += 1
        }
        return String(decoding: result, as: UTF8.self)
    }
}
