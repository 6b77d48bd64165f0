import Foundation
import Workbook

/// What the grader needs of a machine, and whether it has it.
public struct Doctor: Sendable {
    /// One thing that was looked at.
    public struct Fact: Sendable, Equatable {
        public enum State: String, Sendable, Codable {
            case fine
            /// Grading works, with less.
            case warning
            /// Nothing can be graded until it is put right.
            case failure
        }
        public enum Subject: String, Sendable, Codable, CaseIterable {
            case compiler, linker, xctest, testing, sandbox, support, cores, disk, folder
        }
        public var subject: Subject
        public var state: State
        /// What was found; for a failure also what to do.
        public var statement: Statement

        public init(_ subject: Subject, _ state: State, _ statement: Statement) {
            self.subject = subject
            self.state = state
            self.statement = statement
        }
    }

    /// Looks at everything, in the order of `Fact.Subject`.
    public static func examine(_ workbook: WorkbookFolder) async -> [Fact] {
        []
    }
}
