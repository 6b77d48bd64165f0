import Foundation
import Workbook

extension JSONValue {
    subscript(key: String) -> JSONValue? {
        if case .object(let values) = self { values[key] } else { nil }
    }

    var string: String? { if case .text(let text) = self { text } else { nil } }
    var list: [JSONValue]? { if case .list(let values) = self { values } else { nil } }
    var isTrue: Bool { self == .bool(true) }
    var isObject: Bool { if case .object = self { true } else { false } }

    /// A whole number.
    var integer: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }

    static func integer(_ number: Int) -> JSONValue { .number(Double(number)) }
}
