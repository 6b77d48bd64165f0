import Workbook

/// `grader interview`: a timed practice session, begun or resumed.
struct InterviewCommand: Sendable {
    let seat: Seat

    func run() async throws -> ExitCode {
        let words = seat.words
        guard seat.console.canWatch else {
            throw Stop(sentence: words(.interviewNeedsTerminal), code: .usage)
        }
        return .trouble
    }
}
