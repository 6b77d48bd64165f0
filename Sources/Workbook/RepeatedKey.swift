import Foundation

extension JSONMistake {
    /// The first key that stands twice in one object: a reader of JSON takes one of the two without a word.
    ///
    /// - Parameter json: a text that was read as JSON already.
    /// - Returns: `nil` where each key stands once.
    public static func repeatedKey(in json: Data) -> JSONMistake? {
        /// An object or a list that is still open, and the key of its last value.
        struct Level {
            var isObject: Bool
            var keys: Set<String> = []
            var key: String?
        }
        var levels: [Level] = []
        var text: String?
        let bytes = Array(json)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "{"): levels.append(Level(isObject: true))
            case UInt8(ascii: "["): levels.append(Level(isObject: false))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = levels.popLast()
            case UInt8(ascii: "\""):
                let start = index
                index += 1
                while index < bytes.endIndex, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                // By what it means: a letter may be written as `\u0061`.
                text = try? JSONDecoder().decode(String.self, from: Data(bytes[start...min(index, bytes.count - 1)]))
            case UInt8(ascii: ":"):
                guard let key = text, let last = levels.indices.last, levels[last].isObject else { break }
                levels[last].key = key
                if !levels[last].keys.insert(key).inserted {
                    return .keyTwice(levels.compactMap(\.key).joined(separator: "."))
                }
            default: break
            }
            index += 1
        }
        return nil
    }
}
