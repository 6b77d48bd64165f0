import Foundation
import Storage
import Workbook

/// Why the grader could not do its work: never the submission's fault.
public struct GradingError: Error, Sendable, Equatable {
    /// What was expected, what was found and what to do, in no language yet.
    public var message: LocalizableMessage

    public init(_ key: LocalizableMessage.Key, _ arguments: String...) {
        message = LocalizableMessage(key, arguments: arguments)
    }

    /// A folder that the system does not let the grader write to.
    public init(_ folder: URL, notWritable error: any Error) {
        self.init(.folderNotWritable, folder.path, "\(SystemFailure(error).code)")
    }

    public init(_ message: LocalizableMessage) {
        self.message = message
    }
}

/// The system's words for an error number.
func errorText(_ number: Int32) -> String { String(cString: strerror(number)) }
