import Foundation
import Reports
import Workbook

/// Practice sessions on katas of a few tests. Their texts and notes have code that no page may run.
enum SampleSession {
    static let hostileNote = "</script><img src=x onerror=\"window.pwned=1\">\u{2028}<b>bold</b> \u{202E}evil"
    static let hostileCode =
        "let a = \"</script><script>window.pwned=2</script>\"\n// \u{202E}drawrof\u{2028}<img src=x onerror='window.pwned=3'>\n"

    static let kata = SampleClass.kata
    static let other: Kata = {
        var kata = SampleClass.kata
        kata.kata = "AsyncMap"
        kata.order = 2
        return kata
    }()

    static func plan(_ candidate: String = "Ana García", katas: [Kata] = [kata, other], hints: Int? = 5)
        -> InterviewPlan
    {
        InterviewPlan(
            candidate: candidate, language: .english, katas: katas, minutes: 45, hints: hints, seed: 7,
            versions: .init(grader: "1.0.0", swift: "6.3.1"))
    }

    static func at(_ seconds: Double) -> InterviewMoment {
        InterviewMoment(at: seconds, time: Date(timeIntervalSince1970: 1_700_000_000 + seconds))
    }

    /// One letter for each test: `P`, `F`, `C`, `T`, `N`.
    static func verdict(_ outcome: Verdict.Outcome, _ letters: String, of kata: Kata = kata) -> Verdict {
        let outcomes: [Character: TestVerdict.Outcome] = [
            "P": .passed, "F": .failed, "C": .crashed, "T": .timedOut, "N": .notRun,
        ]
        let tests = zip(kata.tests, letters).map { test, letter in
            TestVerdict(
                id: test.id, outcome: outcomes[letter] ?? .notRun, points: letter == "P" ? test.points : 0,
                messages: letter == "F" ? [LocalizableMessage(.mismatch, "[1, 2]", "[1, <i>3</i>]")] : [])
        }
        return Verdict(
            kata: kata.kata, outcome: outcome, points: tests.reduce(0) { $0 + $1.points }, maxPoints: kata.maxPoints,
            seconds: 0.5, diagnostics: [], tests: tests)
    }

    /// Two katas, a hint, a note, a pause, a save that breaks what passed, one that does not compile, one without verdict.
    static func events(_ plan: InterviewPlan = plan()) -> [InterviewEvent] {
        let stub = "import Combine\n\nfunc first() {\n    fatalError()\n}\n"
        let second = "import Combine\n\nfunc first() {\n    return wrong(1)\n}\n"
        return [
            InterviewEvent(at(0), .begun(plan)),
            InterviewEvent(at(0), .opened(kata: kata.kata, text: stub)),
            InterviewEvent(at(60), .saved(number: 1, kata: kata.kata, text: second)),
            InterviewEvent(at(60), .graded(save: 1, verdict(.failed, "FNN"))),
            InterviewEvent(at(90), .hint(kata: kata.kata, test: "S/comes()", level: 1)),
            InterviewEvent(at(100), .note(kata: kata.kata, text: hostileNote)),
            InterviewEvent(
                at(120), .saved(number: 2, kata: kata.kata, text: second.replacing("wrong(1)", with: "right(1)"))),
            InterviewEvent(at(120), .graded(save: 2, verdict(.passed, "PFP"))),
            InterviewEvent(at(130), .paused),
            InterviewEvent(at(130), .resumed(seconds: 300)),
            InterviewEvent(at(180), .saved(number: 3, kata: kata.kata, text: hostileCode)),
            InterviewEvent(at(180), .graded(save: 3, verdict(.failed, "FFC"))),
            InterviewEvent(at(200), .opened(kata: other.kata, text: "import Combine\n")),
            InterviewEvent(at(240), .saved(number: 4, kata: other.kata, text: "import Combine\nlet\n")),
            InterviewEvent(
                at(240),
                .graded(
                    save: 4,
                    .notRun(
                        other, .didNotCompile, LocalizableMessage(.verbatim, "expected pattern"), file: "AsyncMap.swift"
                    ))),
            InterviewEvent(at(300), .saved(number: 5, kata: other.kata, text: "import Combine\nlet x = 1\n")),
            InterviewEvent(at(300), .graded(save: 5, verdict(.mastered, "PPP", of: other))),
            InterviewEvent(at(310), .slept(seconds: 3600)),
            InterviewEvent(at(330), .returned(seconds: 60)),
            InterviewEvent(at(360), .saved(number: 6, kata: other.kata, text: "import Combine\nlet x = 2\n")),
            InterviewEvent(at(400), .closed(.finished)),
        ]
    }

    /// The moments of `events`, as the page counts them: openings, saves, marks and the end.
    static let moments = 14

    static func record(_ plan: InterviewPlan = plan(), missing: [Int] = []) -> InterviewRecord {
        guard let record = InterviewRecord(events(plan), missing: missing) else { preconditionFailure() }
        return record
    }

    static func localization(_ language: Language = .english) throws -> InterviewLocalization {
        let texts = try SampleClass.texts(language)
        return try InterviewLocalization(
            strings: ReportStrings(language), interview: InterviewReportStrings(language),
            texts: [kata.kata: texts, other.kata: texts])
    }

    static let solutions = [
        kata.kata: "import Combine\n\nfunc first() {\n    return right(1) // the model answer\n}\n",
        other.kata: "import Combine\nlet x = 3 // the model answer\n",
    ]

    /// A folder of its own, which is removed afterwards.
    static func withFolder<T>(_ body: (URL) throws -> T) throws -> T {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("interview-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}
