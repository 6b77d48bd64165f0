import Foundation
import Testing

@testable import Checked

@Suite("Which arguments go with which specifiers of a format")
struct FormatCheckTests {
    let integers: [any CVarArg] = [
        1, Int8(1), Int16(1), Int32(1), Int64(1), UInt(1), UInt8(1), UInt16(1), UInt32(1), UInt64(1),
    ]
    let numbers: [any CVarArg] = [1.5, Float(1.5), CGFloat(1.5)]
    let texts: [any CVarArg] = ["text", "text" as NSString, NSMutableString("text")]
    let others: [any CVarArg] = [true, Float80(1)]

    func fitting(_ specifier: String) -> [String] {
        (integers + numbers + texts + others).filter { FormatCheck(specifier).trouble([$0]) == nil }.map(Self.typeName)
    }

    static func typeName(_ argument: any CVarArg) -> String { "\(type(of: argument))" }

    @Test(
        "A specifier of integers takes every integer and nothing else",
        arguments: ["%d", "%i", "%u", "%x", "%X", "%o", "%c", "%ld", "%lld", "%hhx", "%zu", "%5d", "%1$d"])
    func integers(specifier: String) {
        #expect(fitting(specifier) == self.integers.map(Self.typeName))
    }

    @Test("A specifier of floating-point numbers takes those and nothing else", arguments: ["%f", "%.2e", "%g", "%lf"])
    func numbers(specifier: String) {
        #expect(fitting(specifier) == self.numbers.map(Self.typeName))
    }

    @Test("A specifier of objects takes texts and nothing else", arguments: ["%@", "%5@", "%1$@"])
    func texts(specifier: String) {
        #expect(fitting(specifier) == self.texts.map(Self.typeName))
    }

    @Test(
        "A specifier of addresses, or of a size that Swift does not have, takes nothing",
        arguments: ["%s", "%S", "%p", "%n", "%C", "%Lf", "%*d", "%h@", "%#@a@"])
    func refused(specifier: String) {
        #expect(fitting(specifier) == [])
    }
}
