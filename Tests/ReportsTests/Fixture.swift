import Foundation
import Reports
import Workbook

/// A kata of four tests. Each hint says which test it is from.
enum Fixture {
    static let kata = Kata(
        kata: "FirstValue", order: 1, phase: 1, interface: [],
        tests: [
            KataTest(id: "T/first()", framework: .testing, tier: .core, points: 2, hint: "first"),
            KataTest(
                id: "T/second()", framework: .testing, tier: .core, points: 2, hint: "second", after: ["T/first()"]),
            KataTest(id: "T/cancels()", framework: .testing, tier: .robust, points: 3, hint: "cancels"),
            KataTest(
                id: "X/testEnd", framework: .xctest, tier: .robust, points: 1, hint: "end", after: ["T/cancels()"]),
        ])

    static func texts(_ language: Language = .english) throws -> KataTexts {
        func entry(_ text: String) -> [String: Any] {
            ["localizations": ["en": ["stringUnit": ["state": "translated", "value": text]]]]
        }
        var strings: [String: Any] = ["kata.achieved": entry("Achieved."), "kata.mastering": entry("Mastering.")]
        for test in kata.tests {
            strings["\(test.hint).title"] = entry("Title of \(test.hint)")
            for level in 1...3 { strings["\(test.hint).\(level)"] = entry("Hint \(level) of \(test.hint)") }
        }
        let catalog: [String: Any] = ["sourceLanguage": "en", "version": "1.0", "strings": strings]
        return try KataTexts(JSONSerialization.data(withJSONObject: catalog), language: language)
    }

    /// A verdict on the four tests, in their order.
    static func verdict(
        _ outcome: Verdict.Outcome, _ outcomes: [TestVerdict.Outcome], messages: [LocalizableMessage] = [],
        diagnostics: [Diagnostic] = []
    ) -> Verdict {
        let tests = zip(kata.tests, outcomes).map { test, outcome in
            TestVerdict(
                id: test.id, outcome: outcome, points: outcome == .passed ? test.points : 0,
                messages: outcome == .passed ? [] : messages)
        }
        return Verdict(
            kata: kata.kata, outcome: outcome, points: tests.reduce(0) { $0 + $1.points }, maxPoints: kata.maxPoints,
            seconds: 0.61, diagnostics: diagnostics, tests: tests)
    }

    static func localized(_ verdict: Verdict, hintsShown: [String: Int] = [:]) throws -> LocalizedVerdict {
        LocalizedVerdict(verdict, kata: kata, texts: try texts(), hintsShown: hintsShown)
    }
}
