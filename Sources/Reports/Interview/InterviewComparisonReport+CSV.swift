import Workbook

extension InterviewComparisonReport {
    /// `comparison.csv`: a line for each session and kata, with the names of the JSON.
    var csv: String {
        let sessions = Dictionary(sessions.map { ($0.session, $0) }) { first, _ in first }
        let lines = katas.flatMap { kata in
            kata.results.compactMap { result in sessions[result.session].map { Self.cells($0, kata, result) } }
        }
        // The mark by which spreadsheets know UTF-8.
        return "\u{FEFF}"
            + ([Self.columns] + lines).map { $0.map(PlainText.csv).joined(separator: ",") + "\r\n" }.joined()
    }

    private static let columns = [
        "session", "kata", "changed", "outcome", "points", "maxPoints", "firstCorePass", "passed", "mastered", "hints",
        "hintLimit", "saves", "bursts", "seconds", "minutes", "sessionSeconds", "pausedSeconds", "asleepSeconds",
        "awaySeconds", "end",
    ]

    private static func cells(_ session: Session, _ kata: KataReport, _ result: Result) -> [String] {
        [session.session, kata.kata, "\(kata.changed)", result.outcome.rawValue]
            + ["\(result.points)", "\(result.maxPoints)"]
            + [result.firstCorePass, result.passed, result.mastered].map(text)
            + ["\(result.hints)", session.hintLimit.map { "\($0)" } ?? "", "\(result.saves)", "\(result.bursts)"]
            + [text(result.seconds), "\(session.minutes)"]
            + [session.seconds, session.pausedSeconds, session.asleepSeconds, session.awaySeconds].map(text)
            + [session.end?.rawValue ?? ""]
    }

    /// Seconds as every spreadsheet reads them: whole ones.
    private static func text(_ seconds: Double?) -> String { seconds.map { "\(Int($0.rounded()))" } ?? "" }
}
