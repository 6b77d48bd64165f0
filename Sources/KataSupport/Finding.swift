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
    /// What kind of mistake was found: a kata can have a hint for each kind.
    public var kind: Kind?

    public init(key: String, arguments: [String], marbles: MarblePair? = nil, kind: Kind? = nil) {
        self.key = key
        self.arguments = arguments
        self.marbles = marbles
        self.kind = kind
    }

    /// How what happened differs from what a test expects.
    public enum Kind: String, Sendable, Codable {
        /// Nothing came.
        case nothing
        /// Some of it came: k of n.
        case missing
        /// More came than was expected.
        case extra
        /// All of it came, in another order.
        case reordered
        /// The right events came, the first wrong one too late.
        case late
        /// The right events came, the first wrong one too early.
        case early
        /// Something else came.
        case different
        /// An error was thrown or sent where none was expected.
        case error
        /// Another error than the expected one was thrown or sent.
        case otherError
        /// No error was thrown or sent where one was expected.
        case noError
        /// The code blocked the thread of a task.
        case blocked
        /// The code was still running when the wait was given up.
        case stillRunning
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
