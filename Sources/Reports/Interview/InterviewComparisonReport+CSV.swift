import Workbook

extension InterviewComparisonReport {
    /// `comparison.csv`: a line for each session and kata, with the names of the JSON. The observer's judgements follow, as far
    /// as there are any: `mark1`, `sentence1`, … for the brief's first question and the others.
    var csv: String {
        let sessions = Dictionary(sessions.map { ($0.session, $0) }) { first, _ in first }
        // The file may have been edited: no brief has a question with another number.
        let numbers = katas.flatMap(\.results).flatMap(\.rubric).map(\.number).filter((1...99).contains)
        let questions = 1..<(numbers.max() ?? 0) + 1
        let lines = katas.flatMap { kata in
            kata.results.compactMap { result in
                sessions[result.session].map { Self.cells($0, kata, result) + Self.rubric(result, questions) }
            }
        }
        let columns = Self.columns + questions.flatMap { ["mark\($0)", "sentence\($0)"] }
        // The mark by which spreadsheets know UTF-8.
        return "\u{FEFF}"
            + ([columns] + lines).map { $0.map(PlainText.csv).joined(separator: ",") + "\r\n" }.joined()
    }

    private static let columns = [
        "session", "kata", "changed", "outcome", "points", "maxPoints", "firstCorePass", "passed", "mastered", "hints",
        "hintLimit", "saves", "bursts", "seconds", "minutes", "sessionSeconds", "pausedSeconds", "asleepSeconds",
        "awaySeconds", "end", "realSeconds", "savesWhileStopped",
    ]

    private static func cells(_ session: Session, _ kata: KataReport, _ result: Result) -> [String] {
        [session.session, kata.kata, "\(kata.changed)", result.outcome.rawValue]
            + ["\(result.points)", "\(result.maxPoints)"]
            + [result.firstCorePass, result.passed, result.mastered].map(text)
            + ["\(result.hints)", session.hintLimit.map { "\($0)" } ?? "", "\(result.saves)", "\(result.bursts)"]
            + [text(result.seconds), "\(session.minutes)"]
            + [session.seconds, session.pausedSeconds, session.asleepSeconds, session.awaySeconds].map(text)
            + [session.end?.rawValue ?? "", text(session.realSeconds), "\(result.savesWhileStopped)"]
    }

    private static func rubric(_ result: Result, _ questions: Range<Int>) -> [String] {
        questions.flatMap { number in
            // Several observers stand in one cell, in one order.
            let judgements = result.rubric.filter { $0.number == number }
            let marks = judgements.map { $0.mark.map { "\($0)" } ?? "–" }
            let sentences = judgements.map { [$0.observer, $0.sentence].compactMap(\.self).joined(separator: " · ") }
            if marks == ["–"] { return ["", sentences[0]] }
            return [marks.joined(separator: "; "), sentences.joined(separator: "; ")]
        }
    }

    /// Seconds as every spreadsheet reads them: whole ones.
    private static func text(_ seconds: Double?) -> String { seconds.map { "\(Int($0.rounded()))" } ?? "" }
}
