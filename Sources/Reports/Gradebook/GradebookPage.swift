import Foundation
import Workbook

/// `gradebook.html`: a page that is written a learner at a time.
struct GradebookPage {
    private let header: ClassHeader
    private let voice: GradebookVoice
    private let page: SelfContainedPage
    private let places: [String: Int]
    private let words: PageVocabulary

    init(_ header: ClassHeader, voice: GradebookVoice) throws {
        self.header = header
        self.voice = voice
        places = Dictionary(header.katas.enumerated().map { ($1.kata, $0) }) { first, _ in first }
        let shared = try PageWords(voice.language)
        page = try SelfContainedPage(.gradebook, title: voice.gradebook(.title), words: shared)
        words = PageVocabulary(voice.gradebook, page: shared, reports: voice.words)
    }

    func opening() throws -> String {
        let katas = header.katas.map { PageKata($0, texts: voice.texts[$0.kata]) }
        return try page.head + "{\"language\":" + json(voice.language) + ",\"seed\":" + json("\(header.seed)")
            + ",\"swift\":" + json(header.versions.swift) + ",\"words\":" + json(words) + ",\"katas\":" + json(katas)
            + ",\"learners\":["
    }

    func learner(_ report: LearnerReport, isFirst: Bool) throws -> String {
        let results = zip(report.katas, report.record.katas).compactMap { told, record -> Row.Result? in
            guard let place = places[told.kata] else { return nil }
            return Row.Result(
                kata: place, seconds: told.seconds, path: record.path,
                verdict: PageVerdict(told, record.verdict, words: voice.words))
        }
        let row = Row(
            name: report.record.learner, sources: report.record.sources, problem: report.problem, katas: results)
        return (isFirst ? "\n" : ",\n") + (try json(row))
    }

    func closing(_ totals: GradebookTotals) throws -> String {
        "\n],\"identical\":" + (try json(totals.identical)) + "}" + page.tail
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
            var verdict: PageVerdict
        }
        var name: String
        var sources: [String]
        var problem: String?
        var katas: [Result]
    }
}
