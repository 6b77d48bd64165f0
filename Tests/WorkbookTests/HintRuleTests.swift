import Foundation
import Testing
import Workbook

@Suite struct HintRuleTests {
    private let test = KataTest(
        id: "T/first()", framework: .testing, tier: .core, points: 1, hint: "own",
        hints: [
            HintRule(kind: "reordered", failing: ["T/second()"], hint: "order.both"),
            HintRule(kind: "reordered", hint: "order"),
            HintRule(failing: ["T/second()"], passing: ["T/third()"], hint: "second"),
            HintRule(kind: "crashed", hint: "crash"),
        ])

    private func hint(
        _ outcome: TestVerdict.Outcome = .failed, kind: String? = nil, failing: Set<String> = [],
        notRun: Set<String> = [], unwritten: Set<String> = []
    ) -> String {
        test.hint(in: verdict(outcome, kind: kind, failing: failing, notRun: notRun, unwritten: unwritten))
    }

    private func verdict(
        _ outcome: TestVerdict.Outcome = .failed, kind: String? = nil, failing: Set<String> = [],
        notRun: Set<String> = [], unwritten: Set<String> = []
    ) -> Verdict {
        let others = ["T/second()", "T/third()"].map { id in
            TestVerdict(
                id: id, outcome: failing.contains(id) ? .failed : notRun.contains(id) ? .notRun : .passed, points: 0,
                unwritten: unwritten.contains(id) ? ["part"] : nil)
        }
        let own = TestVerdict(
            id: "T/first()", outcome: outcome, points: 0, kind: kind,
            unwritten: unwritten.contains("T/first()") ? ["part"] : nil)
        return Verdict(
            kata: "K", outcome: .failed, points: 0, maxPoints: 3, seconds: 0, diagnostics: [], tests: [own] + others)
    }

    @Test func withoutARuleThatHoldsTheTestsOwnHintCounts() {
        #expect(hint() == "own")
        #expect(hint(kind: "late") == "own")
    }

    @Test func theKindOfWhatWasFoundChooses() {
        #expect(hint(kind: "reordered") == "order")
    }

    @Test func theCaseInWhichAMistakeWasFoundChooses() throws {
        let rules = try JSONDecoder().decode([HintRule].self, from: Data(#"[{"case": "b", "hint": "ofB"}]"#.utf8))
        let test = KataTest(id: "T/first()", framework: .testing, tier: .core, points: 1, hint: "own", hints: rules)
        func hint(_ message: LocalizableMessage) -> String {
            let verdict = TestVerdict(id: "T/first()", outcome: .failed, points: 0, messages: [message])
            return test.hint(
                in: Verdict(
                    kata: "K", outcome: .failed, points: 0, maxPoints: 1, seconds: 0, diagnostics: [], tests: [verdict])
            )
        }
        #expect(hint(LocalizableMessage(.mismatch, "b: 1", "b: 2")) == "ofB")
        #expect(hint(LocalizableMessage(.leakedArrived, "b")) == "ofB")
        #expect(hint(LocalizableMessage(.mismatch, "bc: 1", "bc: 2")) == "own")
    }

    @Test func theFirstRuleThatHoldsCounts() {
        #expect(hint(kind: "reordered", failing: ["T/second()"]) == "order.both")
    }

    @Test func testsThatFailAndTestsThatPassChoose() {
        #expect(hint(failing: ["T/second()"]) == "second")
        #expect(hint(failing: ["T/second()", "T/third()"]) == "own")
    }

    @Test func aTestThatDidNotRunHasNeitherFailedNorPassed() {
        #expect(hint(notRun: ["T/second()"]) == "own")
        #expect(hint(failing: ["T/second()"], notRun: ["T/third()"]) == "own")
    }

    @Test func whatIsNotWrittenYetChoosesNothing() {
        #expect(hint(kind: "reordered", failing: ["T/second()"], unwritten: ["T/second()"]) == "order")
        #expect(hint(kind: "reordered", failing: ["T/second()"], unwritten: ["T/first()"]) == "own")
    }

    @Test func theWayATestEndedChooses() {
        #expect(hint(.crashed) == "crash")
    }

    @Test func whatIsTheSameForAllKatasHasItsOwnHintWhereNoRuleHolds() {
        #expect(hint(kind: "dataRace") == "general.dataRace")
        #expect(hint(kind: "deadlock", failing: ["T/second()"]) == "second")
        #expect(test.mistake(in: verdict(kind: "deadlock")) == "T/first() general.deadlock")
    }

    @Test func hintsAreCountedByTheMistake() {
        #expect(test.mistake(in: verdict(kind: "reordered")) == "T/first() order")
        #expect(test.mistake(in: verdict(kind: "late")) == "T/first()")
        #expect(test.mistake(in: nil) == "T/first()")
    }
}
