import Foundation

/// What is wrong in a file that a person edits.
public enum JSONMistake: Error, Sendable, Equatable {
    /// The place, what stands there, and what could stand there instead.
    case value(String, found: String, example: String)
    /// A key that says nothing, and those that do in its place.
    case key(String, known: [String])
    /// The place of a key that stands twice in its object.
    case keyTwice(String)
}

/// What a person wrote at a place of a file, or else the mistake there.
extension JSONValue {
    /// The values by key; none for keys that are `null`.
    ///
    /// - Parameter keys: those that may be there; `nil` for any.
    public func object(
        at place: String, example: String, keys: [String]? = nil
    ) throws(JSONMistake) -> [String: JSONValue] {
        guard case .object(let object) = self else { throw .value(place, found: excerpt, example: example) }
        if let keys, let key = object.keys.filter({ !keys.contains($0) }).min() {
            throw .key(place.isEmpty ? key : "\(place).\(key)", known: keys)
        }
        return object.filter { $0.value != .null }
    }

    func whole(at place: String, in range: ClosedRange<Int>, example: String) throws(JSONMistake) -> Int {
        guard case .number(let number) = self, let whole = Int(exactly: number), range.contains(whole) else {
            throw .value(place, found: excerpt, example: example)
        }
        return whole
    }

    func date(at place: String, _ timeZone: TimeZone) throws(JSONMistake) -> DateText {
        guard case .text(let text) = self, let date = DateText(text, timeZone: timeZone) else {
            throw .value(place, found: excerpt, example: "\"2026-12-01T23:59\"")
        }
        return date
    }

    func text(at place: String, example: String) throws(JSONMistake) -> String {
        guard case .text(let text) = self, !text.allSatisfy(\.isWhitespace) else {
            throw .value(place, found: excerpt, example: example)
        }
        return text
    }

    func bool(at place: String) throws(JSONMistake) -> Bool {
        guard case .bool(let value) = self else { throw .value(place, found: excerpt, example: "true") }
        return value
    }
}
