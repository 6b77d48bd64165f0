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

struct FormatCheck {
    private enum Kind: String {
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
            // At the end it reads nothing.
            if rest.allSatisfy("-+ 0#'".utf8.contains) { break }
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
            let fits = Self.kind(of: type(of: argument)) == kind
            if !fits { return "needs \(kind.rawValue) for \(specifier), but got \(type(of: argument))" }
        }
        return nil
    }

    private static let integers: [any CVarArg.Type] = [
        Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
        UInt64.self,
    ]
    private static let numbers: [any CVarArg.Type] = [Double.self, Float.self, CGFloat.self]

    /// What C is given for an argument of this type. The value says less: a cast takes what can be bridged, such as an `Int`,
    /// for an `NSObject`.
    private static func kind(of type: any CVarArg.Type) -> Kind? {
        if integers.contains(where: { $0 == type }) { return .integer }
        if numbers.contains(where: { $0 == type }) { return .number }
        return type == String.self || type is NSObject.Type ? .text : nil
    }
}
