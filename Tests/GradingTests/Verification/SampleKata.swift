import Foundation
import Workbook

@testable import Grading

/// The files of a small kata that follows all rules, as values: a test breaks one of them.
enum SampleKata {
    static let core = "SumTests/addsUp()"
    static let robust = "SumXCTests/testNothing"

    static let kata = Kata(
        kata: "Sum", order: 1, phase: 1, interface: ["public func sum(_ numbers: [Int]) -> Int"],
        tests: [
            KataTest(id: core, framework: .testing, tier: .core, points: 1, hint: "adds"),
            KataTest(
                id: robust, framework: .xctest, tier: .robust, points: 2, hint: "nothing",
                hints: [HintRule(kind: "crashed", hint: "nothing.crash")], after: [core]),
        ])

    static let answer = """
        public func sum(_ numbers: [Int]) -> Int {
            numbers.reduce(0, +)
        }

        """
    static let stub = """
        public func sum(_ numbers: [Int]) -> Int {
            -1
        }

        """
    static let brief =
        "# Sum\n\n```swift\npublic func sum(_ numbers: [Int]) -> Int\n```\n\n```swift\nsum([1, 2]) // three\n```\n\n"
        + "## Next\n\n    swift run grader check Sum\n"

    static let texts = [
        "adds.title": "Adds up", "adds.1": "What is 1 and 2?", "adds.2": "Each number counts once.",
        "adds.3": "```swift\nfor number in numbers { total += number }\n```", "nothing.title": "Nothing",
        "nothing.1": "What is the sum of nothing?", "nothing.2": "There is no first number.",
        "nothing.3": "Begin with 0.",
        "nothing.crash.1": "Where does it crash?", "kata.achieved": "You can add.", "kata.mastering": "And nothing.",
    ]

    static func mutant(_ name: String, _ header: String...) -> KataFiles.File {
        KataFiles.File(
            path: "Tests/SumTests/Mutants/\(name).swift",
            text: (header + ["", "public func sum(_ numbers: [Int]) -> Int { 3 }", ""]).joined(separator: "\n"))
    }

    static var files: KataFiles {
        KataFiles(
            kata: kata, manifest: "Exercises/Sum/kata.json",
            stub: .init(path: "Exercises/Sum/Sum.swift", text: stub),
            shippedStub: .init(path: "Exercises/Sum/.shipped/Sum.swift", text: stub),
            modelAnswer: .init(path: "Solutions/Sum/Sum.swift", text: answer),
            briefs: Language.allCases.map { language in
                let name = language == .english ? "README.md" : "README.\(language.code).md"
                return .init(language: language, file: .init(path: "Exercises/Sum/\(name)", text: brief))
            },
            catalog: .init(path: "Exercises/Sum/Hints.xcstrings", text: catalog(texts)),
            phases: .init(path: "Exercises/Phases.xcstrings", text: catalog(["phase.1": "One", "phase.2": "Two"])),
            suite: [.init(path: "Tests/SumTests/SumTests.swift", text: "// It never calls Task.sleep.\nimport Sum\n")],
            mutantsFolder: "Tests/SumTests/Mutants",
            mutants: [
                mutant("Article", "// mutant: a", "// fails: \(robust)", "// hint: \(robust) nothing.crash"),
                mutant("Last", "// mutant: b", "// fails: \(core)", "// fails: \(robust)", "// hint: \(core) adds"),
                mutant("Right", "// right: with a loop"),
            ])
    }

    /// A catalog with the same texts in every language, except for texts that one language has of its own.
    static func catalog(
        _ texts: [String: String], _ language: Language? = nil, _ own: [String: String?] = [:]
    ) -> String {
        let strings = texts.mapValues { value in
            ["localizations": Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0.code, unit(value)) })]
        }
        var changed = strings
        for (key, value) in own {
            guard let language else { continue }
            changed[key]?["localizations"]?[language.code] = value.map { unit($0) }
        }
        let object: [String: Any] = ["sourceLanguage": "en", "version": "1.0", "strings": changed]
        let data = (try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    private static func unit(_ value: String) -> [String: [String: String]] {
        ["stringUnit": ["state": "translated", "value": value]]
    }

    /// A verdict in which these tests do not pass.
    static func verdict(
        failing: [String] = [], _ outcome: TestVerdict.Outcome = .failed, kind: String? = nil,
        diagnostics: [Diagnostic] = []
    ) -> Verdict {
        let tests = kata.tests.map { test in
            let isFailing = failing.contains(test.id)
            return TestVerdict(
                id: test.id, outcome: isFailing ? outcome : .passed, points: isFailing ? 0 : test.points,
                messages: isFailing ? [LocalizableMessage(.verbatim, "what \(test.id) said")] : [],
                kind: isFailing ? kind : nil)
        }
        return Verdict(
            kata: "Sum", outcome: failing.isEmpty ? .mastered : .failed, points: 0, maxPoints: 3, seconds: 0,
            diagnostics: diagnostics, tests: tests)
    }
}
