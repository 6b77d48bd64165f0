/// The tokens of a Swift source, without its comments. It reads any bytes, and each one once.
package enum SwiftTokens {
    static let name: UInt32 = 1
    static let number: UInt32 = 2
    static let string: UInt32 = 3

    private static let keywords: Set<UInt32> = {
        let words = """
            Any Self actor as associatedtype async await break case catch class continue convenience default defer deinit
            do else enum extension fallthrough false fileprivate final for func get guard if import in indirect init inout
            internal is isolated lazy let mutating nil nonisolated open operator override private protocol public repeat
            rethrows return self sending set some static struct subscript super switch throw throws true try typealias
            unowned var weak where while
            """
        return Set(words.split(whereSeparator: \.isWhitespace).map { code(of: Array($0.utf8)) })
    }()

    /// The code of a keyword.
    static func code(of word: some Collection<UInt8>) -> UInt32 {
        // Above the codes of names, numbers, strings and single bytes.
        word.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 } | 0x8000_0000
    }

    static func isKeyword(_ code: UInt32) -> Bool { code >= 0x8000_0000 }

    /// Whether a word is a name, and no keyword, number, string or sign.
    package static func isName(_ word: String) -> Bool {
        guard let first = word.utf8.first, isName(first) else { return false }
        return !keywords.contains(code(of: Array(word.utf8)))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func isName(_ byte: UInt8) -> Bool {
        byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte >= 0x80 || byte == 0x5F || byte == 0x24
    }

    /// The tokens as numbers, with the bytes that each is made of: names are all alike, as are numbers and strings.
    package static func placedCodes(of bytes: [UInt8]) -> [(code: UInt32, place: Range<Int>)] {
        var tokens: [(code: UInt32, place: Range<Int>)] = []
        bytes.withUnsafeBufferPointer { read($0) { tokens.append(($0, $1)) } }
        return tokens
    }

    /// The tokens as they stand there.
    static func words(of bytes: [UInt8]) -> [String] {
        var words: [String] = []
        bytes.withUnsafeBufferPointer { bytes in
            read(bytes) { _, place in words.append(String(decoding: bytes[place], as: UTF8.self)) }
        }
        return words
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>, _ found: (UInt32, Range<Int>) -> Void) {
        let (slash, star, quote, pound, backslash, newline) = (
            UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "\\"),
            UInt8(ascii: "\n")
        )
        var index = 0
        func at(_ place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }
        while index < bytes.count {
            let byte = bytes[index]
            if byte <= 0x20 {
                index += 1
            } else if isName(byte) {
                let start = index
                while index < bytes.count, isName(bytes[index]) || isDigit(bytes[index]) { index += 1 }
                // No keyword is longer.
                let word = index - start > 15 ? 0 : code(of: bytes[start..<index])
                found(keywords.contains(word) ? word : name, start..<index)
            } else if isDigit(byte) {
                let start = index
                while index < bytes.count, isName(bytes[index]) || isDigit(bytes[index]) { index += 1 }
                found(number, start..<index)
            } else if byte == slash, at(index + 1) == slash {
                while index < bytes.count, bytes[index] != newline { index += 1 }
            } else if byte == slash, at(index + 1) == star {
                var depth = 0
                repeat {
                    if at(index) == slash, at(index + 1) == star {
                        depth += 1
                        index += 2
                    } else if at(index) == star, at(index + 1) == slash {
                        depth -= 1
                        index += 2
                    } else {
                        index += 1
                    }
                } while depth > 0 && index < bytes.count
            } else if byte == quote || byte == pound {
                let start = index
                var pounds = 0
                while at(index + pounds) == pound { pounds += 1 }
                guard at(index + pounds) == quote else {
                    for place in index..<index + pounds { found(UInt32(byte) + 0x100, place..<place + 1) }
                    index += pounds
                    continue
                }
                index += pounds
                let isLong = at(index + 1) == quote && at(index + 2) == quote
                let quotes = isLong ? 3 : 1
                index += quotes
                while index < bytes.count {
                    let isEnd =
                        at(index) == quote && (!isLong || at(index + 1) == quote && at(index + 2) == quote)
                        && (0..<pounds).allSatisfy { at(index + quotes + $0) == pound }
                    if isEnd {
                        index += quotes + pounds
                        break
                    }
                    if !isLong, at(index) == newline { break }
                    index += at(index) == backslash && pounds == 0 ? 2 : 1
                }
                index = min(index, bytes.count)
                found(string, start..<index)
            } else {
                found(UInt32(byte) + 0x100, index..<index + 1)
                index += 1
            }
        }
    }
}
