import Workbook

/// `comparison.html`: sessions side by side, one file.
struct ComparisonPage {
    private let comparison: InterviewComparison
    private let report: InterviewComparisonReport
    private let replays: [String]
    private let localization: InterviewLocalization

    /// - Parameter replays: the names of the sessions' own pages, in the same folder.
    init(
        _ comparison: InterviewComparison, report: InterviewComparisonReport, replays: [String],
        localization: InterviewLocalization
    ) {
        self.comparison = comparison
        self.report = report
        self.replays = replays
        self.localization = localization
    }

    func text() throws -> String {
        let shared = try PageStrings(localization.language)
        let page = try SelfContainedPage(.comparison, title: localization.interview(.comparisonTitle), strings: shared)
        return try page.filled(
            with: Content(
                language: localization.language,
                words: PageStringTable(localization.interview, page: shared, reports: localization.strings),
                report: report,
                replays: replays, curves: comparison.sessions.map(curve)))
    }

    private struct Content: Encodable {
        var language: Language
        var words: PageStringTable
        var report: InterviewComparisonReport
        var replays: [String]
        /// For each session how many tests of the katas in common passed, from when on: `[seconds, tests]`.
        var curves: [[[Double]]]
    }

    private func curve(of session: InterviewComparison.Session) -> [[Double]] {
        var passing: [String: Int] = [:]
        var points: [[Double]] = [[0, 0]]
        for save in session.record.saves where comparison.katas.contains(save.kata) {
            guard let verdict = save.verdict else { continue }
            passing[save.kata] = verdict.tests.count { $0.outcome == .passed }
            points.append([save.moment.at, Double(passing.values.reduce(0, +))])
        }
        return points + [[session.record.secondsWorked, points.last?[1] ?? 0]]
    }
}
