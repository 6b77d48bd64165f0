import Workbook

/// A key that was pressed on the terminal.
enum Key: Equatable, Sendable {
    case letter(Character)
    case up, down, left, right, pageUp, pageDown, home, end
    case enter, escape, backspace, tab

    /// Where a text that is longer than the screen is moved to; `nil` for a key that does not move it.
    func scrolled(from line: Int, rows: Int) -> Int? {
        switch self {
        case .up, .letter("k"): max(0, line - 1)
        case .down, .letter("j"): line + 1
        case .pageUp: max(0, line - max(1, rows - 6))
        case .pageDown, .letter(" "): line + max(1, rows - 6)
        case .home: 0
        // The screen knows where the end is.
        case .end: Int.max / 2
        default: nil
        }
    }
}

/// Turns the bytes that a terminal sends into keys.
///
/// A sequence may arrive in pieces, and a lone escape is a key of its own: it counts as one when nothing follows it in the
/// same reading.
struct KeyDecoder: Sendable {
    private var pending: [UInt8] = []

    mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        take(bytes)
        var keys: [Key] = []
        while let key = next() { keys.append(key) }
        return keys
    }

    mutating func take(_ bytes: some Sequence<UInt8>) { pending += bytes }

    /// The next key of those that have arrived.
    ///
    /// - Parameter asText: a letter is meant as it was typed, and not as the place of its key.
    mutating func next(asText: Bool = false) -> Key? {
        while let (key, length) = Self.first(of: pending[...], asText) {
            pending.removeFirst(length)
            if let key { return key }
        }
        return nil
    }

    /// The key that the bytes begin with, and how many of them it takes; `nil` when more bytes have to come first. A
    /// sequence that we have no use for is taken as no key.
    private static func first(of bytes: ArraySlice<UInt8>, _ asText: Bool) -> (Key?, Int)? {
        guard let byte = bytes.first else { return nil }
        switch byte {
        case 0x1B: return escape(bytes)
        case 0x0A, 0x0D: return (.enter, 1)
        case 0x08, 0x7F: return (.backspace, 1)
        case 0x09: return (.tab, 1)
        case 0..<0x20: return (nil, 1)
        default: return letter(bytes, asText)
        }
    }

    private static func letter(_ bytes: ArraySlice<UInt8>, _ asText: Bool) -> (Key?, Int)? {
        let first = bytes[bytes.startIndex]
        let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        guard bytes.count >= length else { return nil }
        guard let text = String(validating: bytes.prefix(length), as: UTF8.self), let character = text.first else {
            return (nil, 1)
        }
        return (.letter(asText ? character : Keyboard.latin(character)), length)
    }

    private static func escape(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        let body = bytes.dropFirst()
        guard let introducer = body.first else { return (.escape, 1) }
        guard introducer == UInt8(ascii: "[") || introducer == UInt8(ascii: "O") else { return (.escape, 1) }
        let parameters = body.dropFirst()
        guard let end = parameters.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
        let length = end - bytes.startIndex + 1
        let key: Key? =
            switch parameters[end] {
            case UInt8(ascii: "A"): .up
            case UInt8(ascii: "B"): .down
            case UInt8(ascii: "C"): .right
            case UInt8(ascii: "D"): .left
            case UInt8(ascii: "H"): .home
            case UInt8(ascii: "F"): .end
            case UInt8(ascii: "~"):
                switch String(decoding: parameters[..<end], as: UTF8.self) {
                case "1", "7": .home
                case "4", "8": .end
                case "5": .pageUp
                case "6": .pageDown
                default: nil
                }
            default: nil
            }
        return (key, length)
    }
}

/// The key that a letter is typed with. After typing Korean or Thai, the key that says `n` sends another letter.
enum Keyboard {
    private static let latinByScalar: [Unicode.Scalar: Character] = {
        var table: [Unicode.Scalar: Character] = [:]
        for language in Language.allCases {
            // Thai marks would join the letter before them, so the rows are read by scalar.
            for (scalar, latin) in zip(language.keyboard.unicodeScalars, "qwertyuiopasdfghjklzxcvbnm") {
                table[scalar] = latin
            }
        }
        return table
    }()

    static func latin(_ character: Character) -> Character {
        guard let scalar = character.unicodeScalars.first, scalar.value > 0x7F else { return character }
        return latinByScalar[scalar] ?? character
    }
}
