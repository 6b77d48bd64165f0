import Foundation
import Grading
import Storage
import Workbook

/// What the grader tells the program that started it.
enum ExitCode: Int32, Sendable, Comparable {
    /// Every kata asked for is passed; or there was nothing to pass, and it went well.
    case passed = 0
    case notPassed = 1
    /// The command line is wrong.
    case usage = 2
    /// The grader could not do its work.
    case trouble = 3

    static func < (left: ExitCode, right: ExitCode) -> Bool { left.rawValue < right.rawValue }
}

/// Why a command stopped: a sentence in the person's language, and the code to end with.
struct CommandError: Error, Sendable {
    var message: String
    var code: ExitCode

    init(message: String, code: ExitCode) {
        self.message = message
        self.code = code
    }

    /// Any error as a command reports it.
    init(_ error: any Error, _ strings: CommandStrings) {
        switch error {
        case let error as CommandError: self = error
        case let error as GradingError: self.init(message: strings.reports(error.message), code: .trouble)
        case let error as WorkbookError: self.init(message: strings.reports(error.message), code: .trouble)
        default:
            let failure = error as NSError
            let isOfWriting = failure.domain == NSCocoaErrorDomain && (512..<1024).contains(failure.code)
            if isOfWriting, let path = failure.userInfo[NSFilePathErrorKey] as? String {
                let reason = strings.reason(SystemFailure(error))
                self.init(message: strings(.fileNotWritten, .text(path), .text(reason)), code: .trouble)
            } else {
                self.init(message: error.localizedDescription, code: .trouble)
            }
        }
    }
}
