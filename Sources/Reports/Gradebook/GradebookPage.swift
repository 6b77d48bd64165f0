import Foundation
import Workbook

/// `gradebook.html`: a page that is written a learner at a time.
struct GradebookPage: ClassFileFormat {
    static let name = "html"
    static let fileName = "gradebook.html"

    private let header: ClassHeader
    private let localization: GradebookLocalization
    private let page: SelfContainedPage
    private let places: [String: Int]
    private let strings: PageStringTable

    init(_ header: ClassHeader, _ localization: GradebookLocalization, _ policy: GradingPolicy) throws {
        self.header = header
        self.localization = localization
        places = Dictionary(header.katas.enumerated().map { ($1.kata, $0) }) { first, _ in first }
        let shared = try PageStrings(localization.language)
        page = try SelfContainedPage(.gradebook, title: localization.gradebook(.title), strings: shared)
        strings = PageStringTable(localization.gradebook, page: shared, reports: localization.strings)
    }

    func opening() throws -> String {
        let katas = header.katas.map { PageKata($0, texts: localization.texts[$0.kata]) }
        return try page.head + "{\"language\":" + json(localization.language) + ",\"seed\":" + json("\(header.seed)")
            + ",\"swift\":" + json(header.versions.swift) + ",\"words\":" + json(strings) + ",\"katas\":"
            + json(katas)
            + ",\"learners\":["
    }

    func learner(_ report: LearnerReport, isFirst: Bool) throws -> String {
        let results = zip(report.katas, report.record.katas).compactMap { kata, record -> Row.Result? in
            guard let place = places[kata.kata] else { return nil }
            return Row.Result(
                kata: place, seconds: kata.seconds, path: record.path,
                isMissing: record.verdict.isHandedIn ? nil : true,
                verdict: PageVerdict(kata, record.verdict, strings: localization.strings))
        }
        let row = Row(
            name: report.record.learner, sources: report.record.sources, identity: report.record.identity,
            lateness: report.lateness.map {
                Row.Late(
                    by: $0.clock, percent: $0.percent, points: report.points, before: report.pointsBefore,
                    text: report.latenessText ?? "")
            },
            problem: report.problem, katas: results)
        return (isFirst ? "\n" : ",\n") + (try json(row))
    }

    func closing(_ totals: GradebookTotals) throws -> String {
        "\n],\"identical\":" + (try json(totals.identical)) + ",\"similar\":" + (try json(totals.similar)) + "}"
            + page.tail
    }

    private func json(_ value: some Encodable) throws -> String {
        try PlainText.scriptJSON(value)
    }

    // MARK: The data that the page's script reads

    private struct Row: Encodable {
        struct Result: Encodable {
            /// The kata's place among the columns.
            var kata: Int
            var seconds: Double
            var path: String?
            /// `true` where there was no file.
            var isMissing: Bool?
            var verdict: PageVerdict
        }
        struct Late: Encodable {
            var by: String?
            var percent: Int
            var points: Int
            var before: Int
            var text: String
        }
        var name: String
        var sources: [String]
        var identity: PlatformIdentity?
        var lateness: Late?
        var problem: String?
        var katas: [Result]
    }
}
