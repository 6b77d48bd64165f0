/// A sentence that waits for its language: a key of the catalog and what fills its placeholders.
///
/// Verdicts are cached, stored and merged, and each reader has a language of their own; so verdicts hold statements.
public struct Statement: Codable, Sendable, Equatable {
    public enum Key: String, Codable, Sendable, CaseIterable {
        /// The compiler's or a test's own words, in no language of ours: [text].
        case verbatim
        /// Expected against actual: [expected, actual].
        case mismatch
        /// A wait ended at its deadline: [seconds].
        case deadline
        /// An error was thrown where none was expected: [error].
        case unexpectedError
        /// The process ended by a signal or trap while the test ran: [what ended it].
        case crashed
        /// The test did not end within its limit: [seconds].
        case timedOut
        /// The suite expects a declaration that the submission lacks: [declaration].
        case suiteExpects
    }

    public var key: Key
    public var arguments: [String]

    public init(_ key: Key, _ arguments: String...) {
        self.key = key
        self.arguments = arguments
    }
}
