import Foundation

/// Makes the lines of a run's record, and reads them: `<number> <digest> <event as JSON>`.
///
/// The digest is of the event, its number and the digest before it, with a key that is in no line. So a line that is left
/// out, changed, moved or added shows to who has the key, and code that sees the lines cannot make another one.
public struct EventSeal: Sendable {
    public struct Key: Codable, Sendable {
        var words: [UInt64]

        /// Draws a key.
        public init() { words = (0..<2).map { _ in .random(in: 0 ... .max) } }
    }

    private let key: Key
    private var number = 0
    private var last: UInt64 = 0

    public init(_ key: Key) { self.key = key }

    /// The next line, without its end.
    public mutating func line(_ event: RunEvent) throws -> Data {
        let json = try JSONEncoder().encode(event)
        number += 1
        last = digest(of: json)
        return Data("\(number) \(String(last, radix: 16)) ".utf8) + json
    }

    /// The event of the next line; `nil` if this is not the line that has to come now.
    public mutating func event(in line: Data) -> RunEvent? {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let json = parts.last, Int(String(decoding: parts[0], as: UTF8.self)) == number + 1
        else { return nil }
        number += 1
        let found = digest(of: json)
        guard UInt64(String(decoding: parts[1], as: UTF8.self), radix: 16) == found else { return nil }
        last = found
        return try? JSONDecoder().decode(RunEvent.self, from: json)
    }

    private func digest(of json: Data) -> UInt64 {
        var words = [last, UInt64(number), UInt64(json.count)]
        json.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: 8) {
                var word: UInt64 = 0
                withUnsafeMutableBytes(of: &word) { $0.copyMemory(from: .init(rebasing: bytes[start...].prefix(8))) }
                words.append(word)
            }
        }
        return Self.hash(words, key)
    }

    /// SipHash-2-4 over whole words, by Aumasson and Bernstein.
    static func hash(_ words: [UInt64], _ key: Key) -> UInt64 {
        let (key0, key1) = (key.words.first ?? 0, key.words.last ?? 0)
        var state = (
            key0 ^ 0x736f_6d65_7073_6575, key1 ^ 0x646f_7261_6e64_6f6d, key0 ^ 0x6c79_6765_6e65_7261,
            key1 ^ 0x7465_6462_7974_6573
        )
        func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
        func mix(_ rounds: Int) {
            for _ in 0..<rounds {
                state.0 &+= state.1
                state.1 = rotated(state.1, 13) ^ state.0
                state.0 = rotated(state.0, 32)
                state.2 &+= state.3
                state.3 = rotated(state.3, 16) ^ state.2
                state.0 &+= state.3
                state.3 = rotated(state.3, 21) ^ state.0
                state.2 &+= state.1
                state.1 = rotated(state.1, 17) ^ state.2
                state.2 = rotated(state.2, 32)
            }
        }
        // As the original ends a text whose length is a multiple of eight.
        for word in words + [UInt64(words.count * 8) << 56] {
            state.3 ^= word
            mix(2)
            state.0 ^= word
        }
        state.2 ^= 0xFF
        mix(4)
        return state.0 ^ state.1 ^ state.2 ^ state.3
    }
}
