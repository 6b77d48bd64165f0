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
        #expect(hint(LocalizableMessage(.leakedInCase, "b")) == "ofB")
        #expect(hint(LocalizableMessage(.mismatch, "bc: 1", "bc: 2")) == "own")
    }

    @Test func whatExactlyDiffersChooses() throws {
        let rules = [HintRule(kind: "extraCompletion", hint: "end"), HintRule(kind: "extra", hint: "more")]
        let result = TestVerdict(
            id: "T/first()", outcome: .failed, points: 0, kind: "extra", differences: ["extraCompletion"])
        #expect(hint(rules, result) == "end")
        #expect(hint(rules, TestVerdict(id: "T/first()", outcome: .failed, points: 0, kind: "extra")) == "more")
    }

    @Test func rulesThatLookAtTheCodeComeFirst() {
        let rules = [
            HintRule(kind: "nothing", hint: "all"), HintRule(uses: ["loop"], lacks: ["sink"], hint: "loop"),
        ]
        let result = TestVerdict(id: "T/first()", outcome: .failed, points: 0, kind: "nothing")
        #expect(hint(rules, result, uses: ["loop"]) == "loop")
        #expect(hint(rules, result, uses: ["loop", "sink"]) == "all")
        #expect(hint(rules, result, uses: nil) == "all")
    }

    @Test func whatSwiftItselfSaidChooses() {
        func result(_ message: LocalizableMessage, _ schedule: Schedule? = nil) -> TestVerdict {
            TestVerdict(id: "T/first()", outcome: .crashed, points: 0, messages: [message], schedule: schedule)
        }
        let twice = LocalizableMessage(.resumedTwice, "firstValue")
        #expect(hint([], result(twice)) == "general.resumedTwice")
        #expect(hint([HintRule(kind: "crashed", hint: "own")], result(twice)) == "own")
        let schedule = Schedule(text: "", rows: [])
        // There the order of the steps is the mistake, and the test's own hint is about that.
        #expect(hint([], result(twice, schedule)) == "test")
        let none = LocalizableMessage(.fatalError, "Unexpectedly found nil while unwrapping an Optional value")
        #expect(hint([HintRule(kind: "unwrappedNil", hint: "nil")], result(none)) == "nil")
    }

    @Test func aHintWhoseCodeIsWrittenAlreadyGivesWayToTheNextCause() {
        let rules = [HintRule(kind: "nothing", hint: "first"), HintRule(hint: "second")]
        let result = TestVerdict(id: "T/first()", outcome: .failed, points: 0, kind: "nothing")
        #expect(hint(rules, result, written: ["first"]) == "second")
        #expect(hint(rules, result, written: ["first", "second"]) == "test")
        #expect(hint(rules, result, written: ["first", "second", "test"]) == "first")
    }

    @Test func whatIsKeptOutsideOfEveryObjectHasAHintInAnyKata() {
        let result = TestVerdict(
            id: "T/first()", outcome: .failed, points: 0, messages: [LocalizableMessage(.leakedInCase, "finished")])
        #expect(
            hint([HintRule(ofCase: "finished", hint: "own")], result, uses: ["global", "growing"]) == "general.global")
        #expect(hint([HintRule(ofCase: "finished", hint: "own")], result, uses: []) == "own")
    }

    private func hint(_ rules: [HintRule], _ result: TestVerdict, uses: [String]? = nil, written: [String]? = nil)
        -> String
    {
        let test = KataTest(id: "T/first()", framework: .testing, tier: .core, points: 1, hint: "test", hints: rules)
        var verdict = Verdict(
            kata: "K", outcome: .failed, points: 0, maxPoints: 1, seconds: 0, diagnostics: [], tests: [result])
        verdict.uses = uses
        verdict.written = written
        return test.hint(in: verdict)
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
