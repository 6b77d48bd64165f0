/// A part of a Swift source that a page shows in a color of its own.
public struct SyntaxSpan: Sendable, Equatable {
    public enum Kind: Int, Sendable { case keyword = 1, type, string, number, comment }

    public var kind: Kind
    /// In code units of UTF-16, as the script of a page counts.
    public var range: Range<Int>

    /// In the order of the text.
    public static func all(in text: String) -> [SyntaxSpan] {
        let bytes = Array(text.utf8)
        var spans: [SyntaxSpan] = []
        var (byte, unit) = (0, 0)
        func units(upTo end: Int) -> Int {
            while byte < end {
                // A character starts with any byte but a continuation; the longest ones are two units.
                unit += bytes[byte] >= 0xF0 ? 2 : bytes[byte] & 0xC0 == 0x80 ? 0 : 1
                byte += 1
            }
            return unit
        }
        func add(_ kind: Kind, _ place: Range<Int>) {
            let start = units(upTo: place.lowerBound)
            spans.append(SyntaxSpan(kind: kind, range: start..<units(upTo: place.upperBound)))
        }
        var sign: (byte: UInt8, end: Int)?
        var end = 0
        for (code, place) in SwiftTokens.placedCodes(of: bytes) + [(0, bytes.count..<bytes.count)] {
            // What is no token and no space is a comment.
            let isBlank = { (place: Int) in bytes[place] <= 0x20 }
            if let first = (end..<place.lowerBound).first(where: { !isBlank($0) }),
                let last = (end..<place.lowerBound).last(where: { !isBlank($0) })
            {
                add(.comment, first..<last + 1)
            }
            end = place.upperBound
            guard !place.isEmpty else { break }
            let before = sign.flatMap { $0.end == place.lowerBound ? $0.byte : nil }
            sign = place.count == 1 ? (bytes[place.lowerBound], place.upperBound) : nil
            switch (code, before) {
            case (SwiftTokens.string, _): add(.string, place)
            case (SwiftTokens.number, _): add(.number, place)
            // An attribute, or a macro.
            case (SwiftTokens.name, UInt8(ascii: "@")), (SwiftTokens.name, UInt8(ascii: "#")): add(.keyword, place)
            case (SwiftTokens.name, _):
                if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[place.lowerBound]) { add(.type, place) }
            // After a dot it is a member.
            case _ where SwiftTokens.isKeyword(code) && before != UInt8(ascii: "."): add(.keyword, place)
            default: break
            }
        }
        return spans
    }
}
