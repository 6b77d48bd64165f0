import Workbook

/// `grader interview compare`: sessions on the same katas side by side.
struct InterviewCompareCommand: Sendable {
    let seat: Seat

    func run() throws -> ExitCode {
        _ = try seat.request.operands.map { try seat.interview(in: $0) }
        return .passed
    }
}
