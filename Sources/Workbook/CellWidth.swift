/// How many cells of a terminal a text takes.
///
/// A column that is padded by characters is crooked in four of the six languages: a Han or Hangul character takes two
/// cells, a Thai vowel or tone mark above or below its consonant none, and an emoji of seven scalars two.
public enum CellWidth {
    /// The version of Unicode that the wide characters are taken from. Marks and emoji come from Swift's own data,
    /// which is never older.
    public static var unicodeVersion: String { WideScalars.unicodeVersion }

    public static func of(_ text: some StringProtocol) -> Int {
        let bytes = text.utf8
        if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.reduce(0) { $0 + ($1 >= 0x20 && $1 != 0x7F ? 1 : 0) } }
        return text.reduce(0) { $0 + of($1) }
    }

    public static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        if scalars.count > 1, isEmojiSequence(scalars) { return 2 }
        // A letter and its marks; conjoining Hangul is one wide scalar and its vowels and finals of none.
        return scalars.reduce(0) { $0 + of($1) }
    }

    private static func isEmojiSequence(_ scalars: Character.UnicodeScalarView) -> Bool {
        scalars.contains {
            switch $0.value {
            case 0xFE0F: true  // asks for the emoji form
            case 0x1F1E6...0x1F1FF: true  // a pair of letters that is a flag
            case 0x1F3FB...0x1F3FF: true  // a skin tone
            default: false
            }
        } || (scalars.contains { $0.value == 0x200D } && scalars.first?.properties.isEmoji == true)
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0xAD ? 0 : 1 }
        if isWide(value) { return 2 }
        // The vowels and finals of conjoining Hangul are drawn into the cells of the consonant before them.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
        default: return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        var low = 0
        var high = WideScalars.ranges.count
        while low < high {
            let middle = (low + high) / 2
            if WideScalars.ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < WideScalars.ranges.count && WideScalars.ranges[low].contains(value)
    }
}

extension StringProtocol {
    /// The text followed by as many spaces as fill `cells`; a text that is wider stays whole.
    public func padded(toCells cells: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, cells - CellWidth.of(self)))
    }

    /// The text if it fits into `cells`, else as much of its beginning as fits together with `mark`.
    public func truncated(toCells cells: Int, mark: String = "…") -> String {
        guard CellWidth.of(self) > cells else { return String(self) }
        let room = cells - CellWidth.of(mark)
        guard room >= 0 else { return "" }
        var taken = ""
        var width = 0
        for character in self {
            width += CellWidth.of(character)
            guard width <= room else { break }
            taken.append(character)
        }
        return taken + mark
    }
}
