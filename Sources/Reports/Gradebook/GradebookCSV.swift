import Workbook

/// `gradebook.csv`: a line a learner, for a spreadsheet.
struct GradebookCSV: ClassFileFormat {
    static let name = "csv"
    static let fileName = "gradebook.csv"

    private let katas: [Kata]
    private let localization: GradebookLocalization
    private let hasDeadline: Bool

    init(_ header: ClassHeader, _ localization: GradebookLocalization, _ policy: GradingPolicy) {
        hasDeadline = policy.deadline != nil
        katas = header.katas
        self.localization = localization
    }

    /// The mark by which spreadsheets know UTF-8, and the names of the columns.
    func opening() -> String {
        let strings = localization.gradebook
        let columns = katas.flatMap { [$0.kata, "\($0.kata): \(localization.strings(.labelPoints))"] }
        let ofDeadline = hasDeadline ? [strings(.lateBy), strings(.deduction), strings(.pointsBefore)] : []
        return "\u{FEFF}"
            + line(
                [strings(.learner), localization.strings(.labelPoints), strings(.maxPoints)] + columns + [
                    strings(.problem), strings(.number), "GitHub", strings(.email), strings(.late).capitalizedStart,
                ] + ofDeadline)
    }

    func learner(_ report: LearnerReport, isFirst: Bool) -> String {
        let byName = Dictionary(report.katas.map { ($0.kata, $0) }) { first, _ in first }
        let cells = katas.flatMap { kata -> [String] in
            guard let result = byName[kata.kata] else { return ["", ""] }
            guard report.isHandedIn(kata.kata) else {
                return [localization.gradebook(.notHandedIn), result.points > 0 ? "\(result.points)" : ""]
            }
            return [localization.strings(ReportKey(result.outcome)), "\(result.points)"]
        }
        let identity = report.record.identity
        let ofDeadline = [
            report.lateness?.clock ?? "", report.lateness.map { "\($0.percent)" } ?? "", "\(report.pointsBefore)",
        ]
        return line(
            [report.record.learner, "\(report.points)", "\(report.maxPoints)"] + cells + [
                ([report.note] + report.decisions).filter { !$0.isEmpty }.joined(separator: " "),
                identity?.number ?? "", identity?.github ?? "", identity?.email ?? "",
                report.isLate ? localization.gradebook(.late) : "",
            ] + (hasDeadline ? ofDeadline : []))
    }

    func closing(_ totals: GradebookTotals) -> String { "" }

    private func line(_ fields: [String]) -> String { fields.map(PlainText.csv).joined(separator: ",") + "\r\n" }
}

extension String {
    fileprivate var capitalizedStart: String { prefix(1).uppercased() + dropFirst() }
}
