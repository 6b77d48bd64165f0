import Workbook

/// `progress.html`: a class over time, one file.
public struct ClassOverTimePage {
    private let report: ClassOverTimeReport
    private let localization: OverTimeLocalization

    public init(_ report: ClassOverTimeReport, localization: OverTimeLocalization) {
        self.report = report
        self.localization = localization
    }

    public func text() throws -> String {
        let page = try SelfContainedPage(
            .overTime, title: localization.overTime(.title), strings: localization.page)
        var words = Dictionary(
            uniqueKeysWithValues: OverTimeKey.allCases.map { ($0.rawValue, localization.overTime($0)) })
        for key in [GradebookKey.learner, .learners, .total, .notHandedIn] {
            words[key.rawValue] = localization.gradebook(key)
        }
        return try page.filled(
            with: Content(
                language: localization.language,
                words: PageStringTable(words, page: localization.page, reports: localization.strings), report: report))
    }

    private struct Content: Encodable {
        var language: Language
        var words: PageStringTable
        var report: ClassOverTimeReport
    }
}
