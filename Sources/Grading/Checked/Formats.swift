// A format of C's reads its arguments as what it says they are: a number that stands for `%s` is an address.
import Foundation

/// `String(format:)` for formats and arguments that go together; any other ends the process and says why.
public func formattedSafely(_ format: String, _ arguments: [any CVarArg], locale: Locale? = nil) -> String {
    if let trouble = FormatCheck(format).trouble(arguments) { fatalError("String(format:) \(trouble)") }
    return String(format: format, locale: locale, arguments: arguments)
}

public func logSafely(_ format: String, _ arguments: [any CVarArg]) {
    NSLog("%@", formattedSafely(format, arguments))
}

private struct FormatCheck {
    enum Kind: String {
        case integer = "an integer"
        case number = "a Double"
        case text = "a String or an object"
    }

    /// What is expected of the argument at an index.
    private var expected: [(index: Int, kind: Kind, specifier: String)] = []
    private var trouble: String?

    init(_ format: String) {
        var rest = Array(format.utf8)[...]
        func skip(_ characters: String) -> ArraySlice<UInt8> {
            let found = rest.prefix { characters.utf8.contains($0) }
            rest = rest.dropFirst(found.count)
            return found
        }
        var numbered = 0
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[(percent + 1)...]
            if rest.first == UInt8(ascii: "%") {
                rest = rest.dropFirst()
                continue
            }
            let start = rest
            var index = expected.count
            let digits = skip("0123456789")
            if rest.first == UInt8(ascii: "$"), digits.first != UInt8(ascii: "0"),
                let position = Int(String(decoding: digits, as: UTF8.self))
            {
                rest = rest.dropFirst()
                index = position - 1
                numbered += 1
            } else {
                rest = start
            }
            _ = skip("-+ 0#'")
            _ = skip("0123456789")
            if rest.first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
                _ = skip("0123456789")
            }
            let length = String(decoding: skip("hlqzjt"), as: UTF8.self)
            let kind = Self.kind(rest.first.map { Character(UnicodeScalar($0)) }, length)
            rest = rest.dropFirst()
            let specifier = "%" + String(decoding: start[..<rest.startIndex], as: UTF8.self)
            guard let kind, !(kind == .text && specifier.contains("#")) else {
                trouble = "does not take \(specifier) here"
                return
            }
            expected.append((index, kind, specifier))
        }
        // An argument that no number names would be read as if it were of any size.
        let places = Set(expected.map(\.index))
        if numbered > 0, numbered < expected.count || places != Set(0..<places.count) {
            trouble = "numbers some of its arguments only"
        }
    }

    private static func kind(_ conversion: Character?, _ length: String) -> Kind? {
        switch conversion {
        case "d", "i", "u", "x", "X", "o", "c", "D", "U", "O":
            ["", "h", "hh", "l", "ll", "q", "z", "j", "t"].contains(length) ? .integer : nil
        case "f", "F", "e", "E", "g", "G", "a", "A": ["", "l"].contains(length) ? .number : nil
        case "@": length.isEmpty ? .text : nil
        default: nil
        }
    }

    func trouble(_ arguments: [any CVarArg]) -> String? {
        if let trouble { return trouble }
        for (index, kind, specifier) in expected {
            guard arguments.indices.contains(index) else { return "has no argument for \(specifier)" }
            let argument = arguments[index]
            let fits =
                switch kind {
                case .integer: Self.isInteger(argument)
                case .number: argument is Double || argument is Float || argument is CGFloat
                case .text: argument is String || argument is NSObject
                }
            if !fits { return "needs \(kind.rawValue) for \(specifier), but got \(type(of: argument))" }
        }
        return nil
    }

    private static func isInteger(_ argument: any CVarArg) -> Bool {
        switch argument {
        case is Int, is Int8, is Int16, is Int32, is Int64, is UInt, is UInt8, is UInt16, is UInt32, is UInt64: true
        default: false
        }
    }
}
