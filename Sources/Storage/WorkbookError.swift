import Foundation
import Workbook

/// Why a workbook could not be read.
public struct WorkbookError: Error, Sendable, Equatable {
    public var message: LocalizableMessage

    public init(_ key: LocalizableMessage.Key, _ arguments: String...) {
        message = LocalizableMessage(key, arguments: arguments)
    }

    /// What is wrong with a JSON file: the place, for whoever writes it.
    ///
    /// - Parameter path: the file as the person is told it.
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
                // Foundation says the place in its sentence only.
                let match = "\(context)".firstMatch(of: /line (\d+), column (\d+)/)
                self.init(.notJSON, path, String(match?.output.1 ?? "1"), String(match?.output.2 ?? "1"))
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
