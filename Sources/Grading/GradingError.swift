import Workbook

/// Why the grader could not do its work: never the submission's fault.
public struct GradingError: Error, Sendable, Equatable {
    /// What was expected, what was found and what to do, in no language yet.
    public var statement: Statement

    public init(_ key: Statement.Key, _ arguments: String...) {
        statement = Statement(key, arguments: arguments)
    }

    public init(_ statement: Statement) {
        self.statement = statement
    }
}
