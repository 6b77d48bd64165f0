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
}
