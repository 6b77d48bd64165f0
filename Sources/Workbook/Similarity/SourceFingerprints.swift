/// What stays of a Swift source when it is copied and made to look different.
///
/// The source becomes tokens: names are all alike, as are numbers and strings, and there are no comments, so that renaming
/// and formatting change nothing. Of every run of `run` tokens there is a hash, and of `window` neighboring hashes the
/// smallest one is kept (winnowing). Two sources that share `run + window - 1` tokens in a row share a fingerprint.
public struct SourceFingerprints: Codable, Sendable, Equatable {
    static let run = 16
    static let window = 9

    /// In ascending order, each once.
    public var hashes: [UInt32]

    /// - Parameter discounted: the hashes of what everybody was given.
    public init(of source: some Collection<UInt8>, discounting discounted: Set<UInt32> = []) {
        let all = Self.runs(of: source)
        var kept: Set<UInt32> = []
        var last = -1
        for start in 0..<max(0, all.count - Self.window + 1) {
            // The last of equal ones: then neighboring windows more often choose the same.
            var least = max(start, last)
            let unread = last >= start ? start + Self.window - 1 : start
            for index in unread..<start + Self.window where all[index] <= all[least] { least = index }
            guard least != last else { continue }
            last = least
            if !discounted.contains(all[least]) { kept.insert(all[least]) }
        }
        hashes = kept.sorted()
    }

    /// The hash of every run of tokens: what is discounted where it is from elsewhere.
    public static func runs(of source: some Collection<UInt8>) -> [UInt32] {
        let tokens = SwiftTokens.codes(of: Array(source))
        guard tokens.count >= run else { return [] }
        let base: UInt32 = 0x0100_0193
        var highest: UInt32 = 1
        for _ in 1..<run { highest = highest &* base }
        var hash: UInt32 = 0
        var hashes: [UInt32] = []
        hashes.reserveCapacity(tokens.count)
        for (index, token) in tokens.enumerated() {
            if index >= run { hash = hash &- tokens[index - run] &* highest }
            hash = hash &* base &+ token
            if index >= run - 1 { hashes.append(mixed(hash)) }
        }
        return hashes
    }

    /// Spreads a hash over all bits, so that the smallest one says nothing about the tokens.
    private static func mixed(_ hash: UInt32) -> UInt32 {
        var hash = hash
        hash ^= hash >> 16
        hash = hash &* 0x85EB_CA6B
        hash ^= hash >> 13
        hash = hash &* 0xC2B2_AE35
        return hash ^ hash >> 16
    }
}

/// The tokens of a Swift source as numbers, without its comments. It reads any bytes, and each one once.
enum SwiftTokens {
    private static let name: UInt32 = 1
    private static let number: UInt32 = 2
    private static let string: UInt32 = 3

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

    private static func code(of word: some Collection<UInt8>) -> UInt32 {
        // Above the codes of names, numbers, strings and single bytes.
        word.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 } | 0x8000_0000
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func isName(_ byte: UInt8) -> Bool {
        byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte >= 0x80 || byte == 0x5F || byte == 0x24
    }

    static func codes(of bytes: [UInt8]) -> [UInt32] { bytes.withUnsafeBufferPointer { codes(of: $0) } }

    private static func codes(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt32] {
        let (slash, star, quote, pound, backslash, newline) = (
            UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "\\"),
            UInt8(ascii: "\n")
        )
        var codes: [UInt32] = []
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
                codes.append(keywords.contains(word) ? word : name)
            } else if isDigit(byte) {
                while index < bytes.count, isName(bytes[index]) || isDigit(bytes[index]) { index += 1 }
                codes.append(number)
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
                var pounds = 0
                while at(index + pounds) == pound { pounds += 1 }
                guard at(index + pounds) == quote else {
                    codes.append(UInt32(byte) + 0x100)
                    index += 1
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
                codes.append(string)
            } else {
                codes.append(UInt32(byte) + 0x100)
                index += 1
            }
        }
        return codes
    }
}
