import Foundation
import Workbook

/// What is written about sessions: the replay of one, or a folder that compares several.
public enum InterviewReportFolder {
    /// Writes `comparison.html`, `comparison.json`, `comparison.csv` and a replay of each session, and returns the page.
    ///
    /// - Parameter solutions: the katas' model answers, for the replays.
    public static func write(
        _ comparison: InterviewComparison, to folder: URL, localization: InterviewLocalization,
        solutions: [String: String]
    ) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try removeReplays(in: folder)
        let page = folder.appendingPathComponent("comparison.html")
        var replays: [String] = []
        for session in comparison.sessions {
            let name = "replay-\(ReportFileNames.name(for: session.label)).html"
            let replay = ReplayPage(
                session.record, localization: localization, solutions: solutions, showsDates: !comparison.isBlind,
                hasJournal: session.hasJournal, comparison: page.lastPathComponent)
            try replace(folder.appendingPathComponent(name), with: replay.text())
            replays.append(name)
        }
        let report = InterviewComparisonReport(comparison, strings: localization.interview)
        try replace(folder.appendingPathComponent("comparison.json"), with: PlainText.json(report) + "\n")
        try replace(folder.appendingPathComponent("comparison.csv"), with: report.csv)
        try replace(
            page, with: ComparisonPage(comparison, report: report, replays: replays, localization: localization).text())
        return page
    }

    /// An earlier comparison's replays go: of sessions that this one has not, or with the names that it leaves out.
    private static func removeReplays(in folder: URL) throws {
        guard FileManager.default.fileExists(atPath: folder.appendingPathComponent("comparison.json").path) else {
            return
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix("replay-") && name.hasSuffix(".html") {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    /// Writes `replay.html` and returns it.
    public static func write(_ replay: ReplayPage, to folder: URL) throws -> URL {
        let page = folder.appendingPathComponent("replay.html")
        try replace(page, with: replay.text())
        return page
    }

    /// Writes `for-candidate.html` and returns it.
    public static func write(_ page: CandidatePage, to folder: URL) throws -> URL {
        let file = folder.appendingPathComponent("for-candidate.html")
        try replace(file, with: page.text())
        return file
    }

    /// A page that is being looked at is never half of one and half of another.
    private static func replace(_ file: URL, with text: String) throws {
        try Data(text.utf8).write(to: file, options: .atomic)
    }
}
