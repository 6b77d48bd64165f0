import Foundation
import Workbook

@testable import Reports

/// A class of a few learners. The name of one of them is code that no page may run.
enum SampleClass {
    static let hostileName = "</script><img src=x onerror=\"window.pwned=1\">"
    static let hostileOutput = "]]>\u{2028}</pre><script>window.pwned=2</script>\u{1B}[31m\u{0}=cmd|' /C calc'!A0"

    static let kata = Kata(
        kata: "FirstValue", order: 1, phase: 2, interface: [],
        tests: [
            KataTest(id: "S/comes()", framework: .testing, tier: .core, points: 2, hint: "comes"),
            KataTest(id: "S/cancels()", framework: .testing, tier: .robust, points: 1, hint: "cancels"),
            KataTest(id: "X/testTime", framework: .xctest, tier: .robust, points: 1, hint: "time"),
        ])

    static let header = ClassHeader(
        seed: 7, versions: ClassHeader.Versions(swift: "6.3.1", suites: "abc"), shard: nil, katas: [kata])

    static func texts(_ language: Language) throws -> KataTexts {
        let strings = ["comes", "cancels", "time"].flatMap { test in
            ["title", "1", "2", "3"].map { part in
                "\"\(test).\(part)\":{\"localizations\":{\"en\":{\"stringUnit\":{\"state\":\"translated\","
                    + "\"value\":\"\(test) \(part) <b>\"}}}}"
            }
        }
        let catalog = "{\"sourceLanguage\":\"en\",\"version\":\"1.0\",\"strings\":{\(strings.joined(separator: ","))}}"
        return try KataTexts(Data(catalog.utf8), language: language)
    }

    static func localization(_ language: Language = .english) throws -> GradebookLocalization {
        try GradebookLocalization(
            strings: ReportStrings(language), gradebook: GradebookStrings(language),
            texts: ["FirstValue": texts(language)],
            testCode: ["FirstValue": ["S/comes()": "#expect(value == 1)", "S/cancels()": "await stop()"]])
    }

    static func verdict(
        _ outcome: Verdict.Outcome, _ tests: [TestVerdict], diagnostics: [Diagnostic] = [], seconds: Double = 0.5
    ) -> Verdict {
        Verdict(
            kata: "FirstValue", outcome: outcome, points: tests.reduce(0) { $0 + $1.points }, maxPoints: 4,
            seconds: seconds, diagnostics: diagnostics, tests: tests)
    }

    static func passing(_ index: Int) -> TestVerdict {
        TestVerdict(id: kata.tests[index].id, outcome: .passed, points: kata.tests[index].points)
    }

    /// A learner who did not hand in the kata.
    static let absent = LearnerRecord(
        learner: "zoe", sources: ["zoe"],
        katas: [
            KataRecord(
                verdict: .notRun(
                    kata, .notStarted, LocalizableMessage(.kataNotSubmitted, "FirstValue.swift")))
        ])

    static let records: [LearnerRecord] = [
        LearnerRecord(
            learner: hostileName, sources: ["x.zip"],
            katas: [
                KataRecord(
                    digest: "d1", path: "a/FirstValue.swift",
                    verdict: verdict(
                        .failed,
                        [
                            passing(0),
                            TestVerdict(
                                id: "S/cancels()", outcome: .failed, points: 0,
                                messages: [LocalizableMessage(.mismatch, "[1, 2, 3]", "[1, 3, <i>4</i>]")],
                                output: hostileOutput, outputCut: 12),
                            TestVerdict(
                                id: "X/testTime", outcome: .crashed, points: 0,
                                messages: [LocalizableMessage(.stackOverflow)],
                                marbles: Marbles(
                                    input: [
                                        .init(milliseconds: 0, label: "1"),
                                        .init(milliseconds: 0, label: "connection lost"),
                                        .init(milliseconds: 200, label: "|"),
                                    ],
                                    expected: [
                                        .init(milliseconds: 0, label: "1"), .init(milliseconds: 300, label: "2"),
                                        .init(milliseconds: 400, label: "|"),
                                    ],
                                    actual: [
                                        .init(milliseconds: 0, label: "1"), .init(milliseconds: 300, label: "<script>"),
                                        .init(milliseconds: 350, label: "x"),
                                    ])),
                        ], seconds: 1.25))
            ]),
        LearnerRecord(
            learner: "=HYPERLINK(\"http://x\")", sources: ["notes.txt"],
            problem: LocalizableMessage(.fileMissing, "notes.txt")),
        LearnerRecord(
            learner: "Ana, \"la\" 김 ไทย", sources: ["ana"],
            katas: [
                KataRecord(
                    digest: "d2", path: "FirstValue.swift",
                    verdict: verdict(.mastered, [passing(0), passing(1), passing(2)]))
            ]),
        LearnerRecord(
            learner: "bob", sources: ["bob"],
            katas: [
                KataRecord(
                    digest: "d2", path: "FirstValue.swift",
                    verdict: verdict(.mastered, [passing(0), passing(1), passing(2)]))
            ]),
        LearnerRecord(
            learner: "cleo", sources: ["cleo"],
            katas: [
                KataRecord(
                    digest: "d3", path: "FirstValue.swift",
                    verdict: .notRun(
                        kata, .didNotCompile, LocalizableMessage(.verbatim, "cannot find 'x' in scope"),
                        file: "FirstValue.swift"
                    ))
            ]),
    ].sorted { $0.learner < $1.learner }

    /// Writes the class's report to a new folder, which is removed after the body has used it.
    static func withReport<T>(
        _ language: Language = .english, _ records: [LearnerRecord] = records,
        policy: GradingPolicy = GradingPolicy(), formats: [String] = ReportFormats.forClasses,
        code: ClassCode = ClassCode(), _ body: (URL) throws -> T
    ) throws -> T {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gradebook-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let report = try GradebookFolder(
            folder, header: header, policy: policy, localization: localization(language), formats: formats)
        for record in records { try report.add(record) }
        _ = try report.finish(code)
        return try body(folder)
    }

    // MARK: Learners whose files have much in common

    static let given = statements(0..<12)

    /// Statements that are made of numbers, each another one.
    static func statements(_ numbers: Range<Int>) -> String {
        numbers.map { number in
            let bits = (0..<6).map { ((number &* 2_654_435_761) >> ($0 * 3)) & 7 }
            let parts = ["(", "[", "if", "for", "<", "==", "return", "{"]
            return "let x = " + bits.map { parts[$0] + " y" }.joined(separator: " ") + "\n"
        }.joined()
    }

    /// Ana and Bob share a part; what one of them prints is hostile. Bob's name is in both files, since Ana copied it.
    static let similarFiles = [
        ("ana", given + "// by bob\n" + statements(20..<60) + statements(100..<104)),
        (
            "bob",
            given + "// by bob\n" + statements(200..<203) + statements(20..<60)
                + "let z = \"</script><img src=x onerror='window.pwned=1'>\"\n"
        ),
        ("cleo", given + statements(300..<330)),
    ]

    static let similarRecords = similarFiles.map { name, text in
        LearnerRecord(
            learner: name, sources: [name],
            katas: [
                KataRecord(
                    digest: name, path: "a.swift",
                    fingerprints: SourceFingerprints(of: text.utf8),
                    verdict: verdict(.mastered, (0..<3).map(passing)))
            ])
    }

    /// Their files, which have their digests for names.
    static let similarCode = ClassCode(
        known: { $0 == "FirstValue" ? KnownSources(given: [given]) : KnownSources() },
        text: { digest in similarFiles.first { $0.0 == digest }?.1 })
}
