import Workbook

/// `grader interview report`: the replay of a session.
struct InterviewReportCommand: Sendable {
    let seat: Seat

    func run() throws -> ExitCode {
        _ = try seat.interview(in: seat.request.operands[0])
        return .passed
    }
}
