import Workbook

/// `gradebook.csv`: a line a learner, for a spreadsheet.
struct GradebookCSV {
    private let katas: [Kata]
    private let voice: GradebookVoice

    init(_ katas: [Kata], voice: GradebookVoice) {
        self.katas = katas
        self.voice = voice
    }

    /// The mark by which spreadsheets know UTF-8, and the names of the columns.
    func opening() -> String {
        let words = voice.gradebook
        let columns = katas.flatMap { [$0.kata, "\($0.kata): \(voice.words(.labelPoints))"] }
        return "\u{FEFF}"
            + line([words(.learner), voice.words(.labelPoints), words(.maxPoints)] + columns + [words(.problem)])
    }

    func learner(_ report: LearnerReport) -> String {
        let byName = Dictionary(report.katas.map { ($0.kata, $0) }) { first, _ in first }
        let cells = katas.flatMap { kata -> [String] in
            guard let result = byName[kata.kata] else { return ["", ""] }
            return [voice.words(ReportKey(result.outcome)), "\(result.points)"]
        }
        return line(
            [report.record.learner, "\(report.points)", "\(report.maxPoints)"] + cells + [report.problem ?? ""])
    }

    private func line(_ fields: [String]) -> String { fields.map(PlainText.csv).joined(separator: ",") + "\r\n" }
}
