import Workbook

/// `gradebook.csv`: a line a learner, for a spreadsheet.
struct GradebookCSV: ClassFileFormat {
    static let name = "csv"
    static let fileName = "gradebook.csv"

    private let katas: [Kata]
    private let localization: GradebookLocalization

    init(_ header: ClassHeader, _ localization: GradebookLocalization) {
        katas = header.katas
        self.localization = localization
    }

    /// The mark by which spreadsheets know UTF-8, and the names of the columns.
    func opening() -> String {
        let strings = localization.gradebook
        let columns = katas.flatMap { [$0.kata, "\($0.kata): \(localization.strings(.labelPoints))"] }
        return "\u{FEFF}"
            + line(
                [strings(.learner), localization.strings(.labelPoints), strings(.maxPoints)] + columns + [
                    strings(.problem), strings(.number), "GitHub", strings(.email), strings(.late),
                ])
    }

    func learner(_ report: LearnerReport, isFirst: Bool) -> String {
        let byName = Dictionary(report.katas.map { ($0.kata, $0) }) { first, _ in first }
        let cells = katas.flatMap { kata -> [String] in
            guard let result = byName[kata.kata] else { return ["", ""] }
            guard report.isHandedIn(kata.kata) else { return [localization.gradebook(.notHandedIn), ""] }
            return [localization.strings(ReportKey(result.outcome)), "\(result.points)"]
        }
        let identity = report.record.identity
        return line(
            [report.record.learner, "\(report.points)", "\(report.maxPoints)"] + cells + [
                report.note, identity?.number ?? "", identity?.github ?? "", identity?.email ?? "",
                identity?.isLate == true ? localization.gradebook(.late) : "",
            ])
    }

    func closing(_ totals: GradebookTotals) -> String { "" }

    private func line(_ fields: [String]) -> String { fields.map(PlainText.csv).joined(separator: ",") + "\r\n" }
}
