import Foundation
import Workbook

/// Why a workbook could not be read.
public struct WorkbookError: Error, Sendable, Equatable {
    public var message: LocalizableMessage

    public init(_ key: LocalizableMessage.Key, _ arguments: String...) {
        message = LocalizableMessage(key, arguments: arguments)
    }

    /// What is wrong with a JSON file, and at which place of it.
    ///
    /// - Parameter path: the file, as the message names it.
    public init(_ path: String, at file: URL, unreadable error: any Error) {
        guard let error = error as? DecodingError else {
            self.init(.unreadableKata, path, "\(SystemFailure(error).code)")
            return
        }
        var isMissing = false
        var place: [any CodingKey]
        switch error {
        case .keyNotFound(let key, let context):
            isMissing = true
            place = context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            place = context.codingPath
            if place.isEmpty {
                let (line, column) = Self.placeOfMistake(in: file)
                self.init(.notJSON, path, "\(line)", "\(column)")
                return
            }
        @unknown default: place = []
        }
        guard place.count > 2, place[0].stringValue == "tests", let number = place[1].intValue else {
            self.init(isMissing ? .keyMissing : .valueUnexpected, path, Self.text(place))
            return
        }
        let test = Self.idOfTest(number, in: file) ?? "\(number + 1)"
        self.init(isMissing ? .testKeyMissing : .testValueUnexpected, path, test, Self.text(place.dropFirst(2)))
    }

    /// Where the file stops being JSON: Foundation says so in a sentence only, as a line and a column or as a number of bytes.
    private static func placeOfMistake(in file: URL) -> (line: Int, column: Int) {
        let bytes = (try? Data(contentsOf: file)) ?? Data()
        var end = bytes.count
        do {
            _ = try JSONSerialization.jsonObject(with: bytes)
        } catch {
            let sentence = "\((error as NSError).userInfo)"
            if let place = sentence.firstMatch(of: /line (\d+), column (\d+)/) {
                return (Int(place.output.1) ?? 1, Int(place.output.2) ?? 1)
            }
            end = sentence.firstMatch(of: /character (\d+)/).flatMap { Int($0.output.1) } ?? end
        }
        let lines = bytes.prefix(end).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return (max(1, lines.count), (lines.last?.count ?? 0) + 1)
    }

    /// `hints[0].kind`.
    private static func text(_ place: some Sequence<any CodingKey>) -> String {
        place.reduce(into: "") { text, key in
            text += key.intValue.map { "[\($0)]" } ?? (text.isEmpty ? "" : ".") + key.stringValue
        }
    }

    private static func idOfTest(_ number: Int, in file: URL) -> String? {
        let object = (try? Data(contentsOf: file)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
        guard let tests = (object as? [String: Any])?["tests"] as? [[String: Any]], tests.indices.contains(number)
        else { return nil }
        return tests[number]["id"] as? String
    }
}
