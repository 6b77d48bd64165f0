import Foundation

/// What a suite found wrong, said so that a program can tell it in any language.
///
/// A failure's text reaches the grader as a string. English prose could not be told in Korean, so a finding is one line
/// of JSON, which begins with `finding: `; `swift test` shows the text before it.
public struct Finding: Sendable, Codable, Equatable {
    /// The raw value of one of the workbook's statement keys, such as `mismatch` or `deadline`.
    public var key: String
    public var arguments: [String]
    public var marbles: MarblePair?

    public init(key: String, arguments: [String], marbles: MarblePair? = nil) {
        self.key = key
        self.arguments = arguments
        self.marbles = marbles
    }

    /// Expected and actual events on one axis of virtual time.
    public struct MarblePair: Sendable, Codable, Equatable {
        public struct Event: Sendable, Codable, Equatable {
            public var milliseconds: Double
            public var label: String

            public init(milliseconds: Double, label: String) {
                self.milliseconds = milliseconds
                self.label = label
            }
        }
        public var expected: [Event]
        public var actual: [Event]

        public init(expected: [Event], actual: [Event]) {
            self.expected = expected
            self.actual = actual
        }
    }

    /// The line that the grader looks for.
    public var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and finite numbers always encode.
        let json = (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        return "finding: \(json)"
    }
}

/// An error that carries a finding: its description is prose for `swift test` and the finding's line for the grader.
public protocol FindingError: Error, CustomStringConvertible {
    var finding: Finding { get }
    /// What was expected and what was found, in English.
    var prose: String { get }
}

extension FindingError {
    /// The line of the finding stands alone, whatever quotation marks a test framework puts around the description.
    public var description: String { "\(prose)\n\(finding.line)\n" }
}
