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
    private var unknown: String?

    init(_ format: String) {
        var rest = Substring(format).utf8
        var next = 0
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[percent...].dropFirst()
            let start = rest.startIndex
            if rest.first == UInt8(ascii: "%") {
                rest = rest.dropFirst()
                continue
            }
            func skip(_ characters: String) {
                while let byte = rest.first, characters.utf8.contains(byte) { rest = rest.dropFirst() }
            }
            var position: Int?
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            if rest.dropFirst(digits.count).first == UInt8(ascii: "$") {
                position = Int(String(Substring(digits)))
                rest = rest.dropFirst(digits.count + 1)
            }
            skip("-+ 0#'")
            skip("0123456789")
            if rest.first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
                skip("0123456789")
            }
            let beforeLength = rest.startIndex
            skip("hlqzjt")
            let length = String(Substring(rest[beforeLength..<rest.startIndex]))
            let conversion = rest.first
            rest = rest.dropFirst()
            let specifier = "%" + String(Substring(format.utf8[start..<rest.startIndex]))
            let kind: Kind? =
                switch conversion.map({ Character(UnicodeScalar($0)) }) {
                case "d", "i", "u", "x", "X", "o", "c", "D", "U", "O":
                    ["", "h", "hh", "l", "ll", "q", "z", "j", "t"].contains(length) ? .integer : nil
                case "f", "F", "e", "E", "g", "G", "a", "A": ["", "l"].contains(length) ? .number : nil
                case "@": length.isEmpty && !specifier.contains("#") ? .text : nil
                default: nil
                }
            guard let kind, position != 0 else {
                unknown = specifier
                return
            }
            expected.append((position.map { $0 - 1 } ?? next, kind, specifier))
            if position == nil { next += 1 }
        }
    }

    func trouble(_ arguments: [any CVarArg]) -> String? {
        if let unknown { return "does not take \(unknown) here" }
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
