import Foundation
import Workbook

/// `gradebook.html`: one file that needs nothing else, and runs nothing but its own script.
///
/// The page's security policy names the digests of its one script and its one style; whatever a learner's name or
/// output looks like, it is data in a block that no browser runs.
struct GradebookPage {
    private let header: ClassHeader
    private let voice: GradebookVoice
    private let template: (head: String, tail: String)
    private let places: [String: Int]

    init(_ header: ClassHeader, voice: GradebookVoice) throws {
        self.header = header
        self.voice = voice
        places = Dictionary(header.katas.enumerated().map { ($1.kata, $0) }) { first, _ in first }
        let style = try Self.resource("page.css")
        let script = try Self.resource("page.js")
        var page = try Self.resource("page.html")
        let values = [
            "language": voice.language.code,
            "title": PlainText.xml(voice.gradebook(.title)),
            "noScript": PlainText.xml(voice.gradebook(.noScript)),
            "styleDigest": SHA256.digest(of: style).base64,
            "scriptDigest": SHA256.digest(of: script).base64,
        ]
        for (name, value) in values { page = page.replacing("{{\(name)}}", with: value) }
        page = page.replacing("{{style}}", with: style).replacing("{{script}}", with: script)
        let halves = page.split(separator: "{{data}}", maxSplits: 1)
        template = (String(halves[0]), String(halves[1]))
    }

    func opening() throws -> String {
        let katas = header.katas.map { kata in
            Column(
                name: kata.kata, maxPoints: kata.maxPoints,
                tests: kata.tests.map { test in
                    let texts = voice.texts[kata.kata]
                    return Column.Test(
                        title: texts?.title(of: test) ?? test.id, tier: test.tier, points: test.points,
                        hint: texts?.hint(1, for: test) ?? "")
                })
        }
        let text =
            try template.head + "{\"language\":" + json(voice.language) + ",\"seed\":" + json("\(header.seed)")
            + ",\"swift\":" + json(header.versions.swift) + ",\"words\":" + json(words()) + ",\"katas\":" + json(katas)
            + ",\"learners\":["
        return text
    }

    func learner(_ report: LearnerReport, isFirst: Bool) throws -> String {
        let results = zip(report.katas, report.record.katas).compactMap { told, record -> Row.Result? in
            guard let place = places[told.kata] else { return nil }
            return Row.Result(
                kata: place, outcome: told.outcome, points: told.points, seconds: told.seconds, path: record.path,
                diagnostics: told.diagnostics.map(\.placed), tests: told.tests.map { Self.code($0.outcome) }.joined(),
                details: details(told, record.verdict))
        }
        let row = Row(
            name: report.record.learner, sources: report.record.sources, problem: report.problem, katas: results)
        return (isFirst ? "\n" : ",\n") + (try json(row))
    }

    func closing(_ totals: GradebookTotals) throws -> String {
        "\n],\"identical\":" + (try json(totals.identical)) + "}" + template.tail
    }

    private func json(_ value: some Encodable) throws -> String {
        PlainText.scriptJSON(try GradebookJSON.encode(value))
    }

    private static func resource(_ name: String) throws -> String {
        try String(contentsOf: Bundle.module.bundleURL.appendingPathComponent("Page/\(name)"), encoding: .utf8)
    }

    private static func code(_ outcome: TestVerdict.Outcome) -> String {
        switch outcome {
        case .passed: "P"
        case .failed: "F"
        case .crashed: "C"
        case .timedOut: "T"
        case .notRun: "N"
        }
    }

    /// What there is to say about each test, by its place; nothing for most.
    private func details(_ told: CheckReport.KataReport, _ verdict: Verdict) -> [String: Row.Detail] {
        let verdicts = Dictionary(verdict.tests.map { ($0.id, $0) }) { first, _ in first }
        var details: [String: Row.Detail] = [:]
        for (index, test) in told.tests.enumerated() {
            let verdict = verdicts[test.id]
            let mismatches = (verdict?.statements ?? []).filter { $0.key == .mismatch && $0.arguments.count == 2 }
            let others = (verdict?.statements ?? []).filter { !($0.key == .mismatch && $0.arguments.count == 2) }
            let message = others.isEmpty ? nil : others.map { voice.words($0) }.joined(separator: "\n")
            let cut = verdict.flatMap { $0.outputCut > 0 ? voice.words(.outputCut, .integer($0.outputCut)) : nil }
            let detail = Row.Detail(
                message: message, diffs: mismatches.isEmpty ? nil : mismatches.map(\.arguments),
                marbles: test.marbles.map(Row.Diagram.init), hint: test.hint,
                output: test.output.isEmpty ? nil : test.output, cut: cut)
            if detail != Row.Detail() { details["\(index)"] = detail }
        }
        return details
    }

    private func words() -> Words {
        var plain = Dictionary(uniqueKeysWithValues: GradebookKey.allCases.map { ($0.rawValue, voice.gradebook($0)) })
        plain["expected"] = voice.words(.labelExpected)
        plain["actual"] = voice.words(.labelActual)
        plain["kata"] = voice.words(.labelKata)
        return Words(plain: plain, voice: voice)
    }

    // MARK: The data that the page's script reads

    private struct Column: Encodable {
        struct Test: Encodable {
            var title: String
            var tier: KataTest.Tier
            var points: Int
            var hint: String
        }
        var name: String
        var maxPoints: Int
        var tests: [Test]
    }

    private struct Row: Encodable {
        struct Result: Encodable {
            /// The kata's place among the columns.
            var kata: Int
            var outcome: Verdict.Outcome
            var points: Int
            var seconds: Double
            var path: String?
            var diagnostics: [String]
            /// A letter a test.
            var tests: String
            var details: [String: Detail]
        }
        struct Detail: Encodable, Equatable {
            var message: String?
            /// Expected and actual.
            var diffs: [[String]]?
            var marbles: Diagram?
            var hint: String?
            var output: String?
            var cut: String?
        }
        /// Histories as `[milliseconds, label]`. No more is drawn than a person would look at.
        struct Diagram: Encodable, Equatable {
            static let mostEvents = 200
            var marbles: Marbles

            init(_ marbles: Marbles) {
                self.marbles = Marbles(
                    expected: Array(marbles.expected.prefix(Self.mostEvents)),
                    actual: Array(marbles.actual.prefix(Self.mostEvents)))
            }

            enum Key: String, CodingKey { case expected, actual }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                for (key, events) in [(Key.expected, marbles.expected), (.actual, marbles.actual)] {
                    var list = container.nestedUnkeyedContainer(forKey: key)
                    for event in events {
                        var pair = list.nestedUnkeyedContainer()
                        try pair.encode(event.milliseconds.isFinite ? event.milliseconds : 0)
                        try pair.encode(event.label)
                    }
                }
            }
        }
        var name: String
        var sources: [String]
        var problem: String?
        var katas: [Result]
    }

    private struct Words: Encodable {
        var plain: [String: String]
        var voice: GradebookVoice

        private struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for (key, text) in plain { try container.encode(text, forKey: Key(stringValue: key)) }
            let outcomes: [Verdict.Outcome] = [.notStarted, .didNotCompile, .failed, .passed, .mastered, .rejected]
            try container.encode(
                Dictionary(uniqueKeysWithValues: outcomes.map { ($0.rawValue, voice.words($0)) }),
                forKey: Key(stringValue: "outcomes"))
            let tests: [TestVerdict.Outcome] = [.passed, .failed, .crashed, .timedOut, .notRun]
            try container.encode(
                Dictionary(uniqueKeysWithValues: tests.map { ($0.rawValue, voice.words($0)) }),
                forKey: Key(stringValue: "testOutcomes"))
            let tiers = [KataTest.Tier.core.rawValue: ReportKey.tierCore, KataTest.Tier.robust.rawValue: .tierRobust]
            try container.encode(tiers.mapValues { voice.words($0) }, forKey: Key(stringValue: "tiers"))
        }
    }
}
