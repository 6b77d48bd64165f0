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
        let themes = Theme.allCases.map { [$0.rawValue, localization.strings(ReportKey($0))] }
        return try page.head + "{\"language\":" + json(localization.language) + ",\"seed\":" + json("\(header.seed)")
            + ",\"swift\":" + json(header.versions.swift) + ",\"words\":" + json(strings) + ",\"katas\":"
            + json(katas)
            + ",\"themes\":" + json(themes) + ",\"learners\":["
    }

    func learner(_ report: LearnerReport, isFirst: Bool) throws -> String {
        let results = zip(report.katas, report.record.katas).compactMap { kata, record -> Row.Result? in
            guard let place = places[kata.kata] else { return nil }
            return Row.Result(
                kata: place, seconds: kata.seconds, path: record.path,
                isMissing: record.verdict.isHandedIn ? nil : true,
                look: Look.all(in: record.verdict, localization.strings).map(\.placed),
                verdict: PageVerdict(kata, record.verdict, strings: localization.strings))
        }
        var identity = report.record.identity
        identity?.isLate = report.isLate
        let row = Row(
            name: report.record.learner, sources: report.record.sources, identity: identity,
            lateness: report.lateness.map {
                Row.Late(by: $0.clock, percent: $0.percent, points: report.points, before: report.pointsBefore)
            },
            adjustments: report.adjustments.isEmpty ? nil : report.adjustments,
            problem: report.remark.isEmpty ? nil : report.remark, katas: results)
        return (isFirst ? "\n" : ",\n") + (try json(row))
    }

    func closing(_ totals: GradebookTotals) throws -> String {
        let similar = SimilarFiles(totals, localization)
        return "\n],\"identical\":" + (try json(totals.identical)) + ",\"known\":"
            + (try json(totals.known)) + ",\"similar\":" + (try json(similar.groups))
            + ",\"pairs\":" + (try json(similar.pairs)) + ",\"files\":" + (try json(similar.files)) + "}"
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
            var look: [String]
            var verdict: PageVerdict
        }
        struct Late: Encodable {
            var by: String?
            var percent: Int
            var points: Int
            var before: Int
        }
        var name: String
        var sources: [String]
        var identity: PlatformIdentity?
        var lateness: Late?
        /// Why the points are others than those of the tests.
        var adjustments: [String]?
        var problem: String?
        var katas: [Result]
    }

    /// The groups, their pairs and the files of these, which refer to each other by their places.
    private struct SimilarFiles {
        struct Group: Encodable {
            var kata: String
            var learners: [String]
            var least: Double
            var most: Double
            var pairs: [Int]
            var leftOut: Int
            /// The learners of each of its files.
            var nodes: [[String]]
            /// The places of two nodes, how much they have in common in percent, and the place of their pair, -1 where it is not
            /// listed.
            var links: [[Int]]
        }
        struct Pair: Encodable {
            struct Side: Encodable {
                var learners: [String]
                /// `nil` where the file was not kept.
                var file: Int?
                /// The number of its match for each line, 0 for none, -1 where it does not count.
                var lines: [Int]
            }
            var group: Int
            var similarity: Double
            var matches: [[Int]]
            var sides: [Side]
        }
        struct File: Encodable {
            var text: String
            var colors: CodeColors
            /// What is not shown.
            var note: String?
        }
        var groups: [Group] = []
        var pairs: [Pair] = []
        var files: [File] = []

        init(_ totals: GradebookTotals, _ localization: GradebookLocalization) {
            for similar in totals.similar {
                var places: [String: Int] = [:]
                for (digest, code) in (totals.similarCode[similar.kata] ?? [:]).sorted(by: { $0.key < $1.key })
                where similar.pairs.contains(where: { $0.first.digest == digest || $0.second.digest == digest }) {
                    places[digest] = files.count
                    files.append(
                        File(
                            text: code.text, colors: CodeColors(code.text),
                            note: code.leftOut > 0 ? localization.strings(.codeCut, .integer(code.leftOut)) : nil))
                }
                let first = pairs.count
                for pair in similar.pairs {
                    func side(_ side: SimilarPair.Side, _ lines: [Int]?) -> Pair.Side {
                        Pair.Side(learners: side.learners, file: places[side.digest], lines: lines ?? [])
                    }
                    pairs.append(
                        Pair(
                            group: groups.count, similarity: pair.similarity,
                            matches: (pair.lines?.matches ?? []).map { match in
                                [match.first, match.second].flatMap { [$0.lowerBound, $0.upperBound] }
                            },
                            sides: [side(pair.first, pair.lines?.first), side(pair.second, pair.lines?.second)]))
                }
                let nodes = Dictionary(
                    similar.links.flatMap { [$0.first, $0.second] }.map { ($0.digest, $0.learners) }
                ) { first, _ in first }.sorted { ($0.value[0], $0.key) < ($1.value[0], $1.key) }
                let nodePlaces = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.key, $0) })
                let listed = Dictionary(
                    zip(similar.pairs, first...).map { ([$0.first.digest, $0.second.digest], $1) }
                ) { first, _ in first }
                groups.append(
                    Group(
                        kata: similar.kata, learners: similar.learners, least: similar.least, most: similar.most,
                        pairs: Array(first..<pairs.count), leftOut: similar.pairsLeftOut, nodes: nodes.map(\.value),
                        links: similar.links.map { link in
                            let ends = [link.first.digest, link.second.digest]
                            return ends.compactMap { nodePlaces[$0] }
                                + [Int((link.similarity * 100).rounded()), listed[ends] ?? -1]
                        }))
            }
        }
    }
}
