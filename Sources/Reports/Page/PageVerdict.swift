import Workbook

/// A kata as a page's script reads it.
struct PageKata: Encodable {
    struct Test: Encodable {
        var title: String
        var tier: KataTest.Tier
        var points: Int
        var hint: String
        var theme: Theme?
    }

    var name: String
    var maxPoints: Int
    var tests: [Test]

    init(_ kata: Kata, texts: KataTexts?, showsHints: Bool = true) {
        name = kata.kata
        maxPoints = kata.maxPoints
        tests = kata.tests.map { test in
            Test(
                title: texts?.title(of: test) ?? test.id, tier: test.tier, points: test.points,
                hint: showsHints ? texts?.ownHint(1, for: test) ?? "" : "", theme: test.theme)
        }
    }
}

/// A verdict as a page's script reads it. It leaves out what most tests have nothing to say about.
struct PageVerdict: Encodable {
    struct Detail: Encodable, Equatable {
        var message: String?
        /// Expected and actual.
        var diffs: [[String]]?
        var marbles: Diagram?
        /// The accesses of a data race: what is said of each, and its code.
        var race: [[String]]?
        /// Who waits for what, and where.
        var waits: [[String]]?
        var steps: Steps?
        var hint: String?
        /// What the instructor says about it.
        var comment: String?
        var output: String?
        var cut: String?
    }

    /// Histories as `[milliseconds, label]`. No more is drawn than a person would look at.
    struct Diagram: Encodable, Equatable {
        static let mostEvents = 200
        var marbles: Marbles

        init(_ marbles: Marbles) {
            self.marbles = marbles.mapRows { Array($0.prefix(Self.mostEvents)) }
        }

        enum Key: String, CodingKey { case input, expected, actual }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            let rows = [(Key.input, marbles.input ?? []), (.expected, marbles.expected), (.actual, marbles.actual)]
            for (key, events) in rows {
                var list = container.nestedUnkeyedContainer(forKey: key)
                for event in events {
                    var pair = list.nestedUnkeyedContainer()
                    try pair.encode(event.milliseconds.isFinite ? event.milliseconds : 0)
                    try pair.encode(event.label)
                }
            }
        }
    }

    /// An order of steps, in a column for each thread.
    struct Steps: Encodable, Equatable {
        struct Row: Encodable, Equatable {
            var column: Int
            var line: Int
            var code: String
            var mistake: Bool?
            var afterGap: Bool?
        }

        var caption: String
        var heads: [String]
        var rows: [Row]

        /// `nil` where there is nothing to draw.
        init?(_ result: TestVerdict?, _ strings: ReportStrings) {
            guard let result, let schedule = result.schedule, !schedule.rows.isEmpty else { return nil }
            caption = strings.caption(schedule, of: result)
            let threads = schedule.threads
            heads = threads.map(strings.thread)
            rows = schedule.rows.map { row in
                Row(
                    column: threads.firstIndex(of: row.thread) ?? 0, line: row.line, code: row.code,
                    mistake: row.mistake ? true : nil, afterGap: row.afterGap ? true : nil)
            }
        }
    }

    var outcome: Verdict.Outcome
    var points: Int
    var diagnostics: [String]
    /// A letter a test.
    var tests: String
    /// What there is to say about each test, by its place.
    var details: [String: Detail]

    init(
        _ report: CheckReport.KataReport, _ verdict: Verdict, strings: ReportStrings, showsHints: Bool = true,
        comment: (CheckReport.TestReport) -> String? = { _ in nil }
    ) {
        outcome = report.outcome
        points = report.points
        diagnostics = report.diagnostics.map(\.placed)
        tests = report.tests.map { Self.code($0.outcome) }.joined()
        let verdicts = Dictionary(verdict.tests.map { ($0.id, $0) }) { first, _ in first }
        var details: [String: Detail] = [:]
        for (index, test) in report.tests.enumerated() {
            let verdict = verdicts[test.id]
            let mismatches = (verdict?.messages ?? []).filter { $0.key == .mismatch && $0.arguments.count == 2 }
            let others = (verdict?.messages ?? []).filter { !($0.key == .mismatch && $0.arguments.count == 2) }
            let message = others.isEmpty ? nil : others.map { strings($0) }.joined(separator: "\n")
            let cut = verdict.flatMap { $0.outputCut > 0 ? strings(.outputCut, .integer($0.outputCut)) : nil }
            let detail = Detail(
                message: message, diffs: mismatches.isEmpty ? nil : mismatches.map(\.arguments),
                marbles: test.marbles.map(Diagram.init),
                race: verdict?.race.map(strings.accesses)?.map { [$0.label, $0.code] },
                waits: verdict?.schedule?.waits.map { _ in
                    (verdict?.schedule.map(strings.waits) ?? []).map { [$0.thread, $0.cause, $0.place] }
                },
                steps: Steps(verdict, strings), hint: showsHints ? test.hint : nil, comment: comment(test),
                output: test.output.isEmpty ? nil : test.output, cut: cut)
            if detail != Detail() { details["\(index)"] = detail }
        }
        self.details = details
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
}
