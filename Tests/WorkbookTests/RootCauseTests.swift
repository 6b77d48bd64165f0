import Testing
import Workbook

@Suite("The failure to look at first")
struct RootCauseTests {
    private func kata(_ tests: (id: String, tier: KataTest.Tier, after: [String])...) -> Kata {
        Kata(
            kata: "K", order: 1, phase: 1, interface: [],
            tests: tests.map {
                KataTest(id: $0.id, framework: .testing, tier: $0.tier, points: 1, hint: $0.id, after: $0.after)
            })
    }

    private func roots(
        _ kata: Kata, _ outcomes: [String: TestVerdict.Outcome], unwritten: [String: [String]] = [:]
    ) -> [String] {
        let tests = kata.tests.map {
            TestVerdict(id: $0.id, outcome: outcomes[$0.id] ?? .passed, points: 0, unwritten: unwritten[$0.id])
        }
        let verdict = Verdict(
            kata: "K", outcome: .failed, points: 0, maxPoints: 1, seconds: 0, diagnostics: [], tests: tests)
        return verdict.rootFailures(in: kata).map(\.id)
    }

    @Test("A failure that another one explains is not reported")
    func explained() {
        let kata = kata(("a", .core, []), ("b", .core, ["a"]), ("c", .core, ["b"]))
        #expect(roots(kata, ["a": .failed, "b": .failed, "c": .failed]) == ["a"])
        #expect(roots(kata, ["b": .failed, "c": .failed]) == ["b"])
        #expect(roots(kata, ["c": .failed]) == ["c"])
        #expect(roots(kata, [:]) == [])
    }

    @Test("Tests that failed come before tests that did not run, and core tests before robust ones")
    func order() {
        let kata = kata(("r", .robust, []), ("a", .core, []), ("b", .core, []))
        #expect(roots(kata, ["r": .failed, "a": .notRun, "b": .timedOut]) == ["b", "r", "a"])
    }

    @Test("Failures of written parts come before failures of parts that are not written yet, before all other rules")
    func unwrittenComesLast() {
        let kata = kata(("a", .core, []), ("r", .robust, []), ("b", .core, []))
        let failing: [String: TestVerdict.Outcome] = ["a": .failed, "r": .failed, "b": .notRun]
        #expect(roots(kata, failing, unwritten: ["a": ["first"]]) == ["r", "b", "a"])
        #expect(roots(kata, failing, unwritten: ["r": ["first"], "a": ["second"]]) == ["b", "a", "r"])
    }

    @Test("A part that is not written yet explains no failure of a written part, but what explains it does")
    func unwrittenExplainsNothing() {
        let kata = kata(("a", .core, []), ("b", .core, ["a"]), ("c", .core, ["b"]), ("d", .core, ["c"]))
        let failing: [String: TestVerdict.Outcome] = ["b": .failed, "c": .failed, "d": .failed]
        #expect(roots(kata, failing, unwritten: ["b": ["first"]]) == ["c", "b"])
        #expect(roots(kata, failing, unwritten: ["c": ["first"]]) == ["b"])
        #expect(roots(kata, failing, unwritten: ["c": ["first"], "b": ["first"]]) == ["d", "b"])
    }

    @Test("A part that is not written yet is reported once")
    func unwrittenIsToldOnce() {
        let kata = kata(("a", .core, []), ("b", .core, []), ("c", .core, []), ("d", .core, []))
        let failing: [String: TestVerdict.Outcome] = ["a": .failed, "b": .failed, "c": .failed, "d": .failed]
        let unwritten = ["a": ["first"], "b": ["first"], "c": ["first", "second"], "d": ["second"]]
        #expect(roots(kata, failing, unwritten: unwritten) == ["a", "c"])
    }

    @Test("Tests that explain each other still have a first one")
    func ring() {
        let kata = kata(("a", .core, ["b"]), ("b", .core, ["a"]), ("c", .core, ["c"]))
        #expect(roots(kata, ["a": .failed, "b": .failed]) == ["a"])
        #expect(roots(kata, ["c": .failed]) == ["c"])
        let both: [String: TestVerdict.Outcome] = ["a": .failed, "b": .failed]
        #expect(roots(kata, both, unwritten: ["a": ["first"], "b": ["first"]]) == ["a"])
        #expect(roots(kata, both, unwritten: ["b": ["first"]]) == ["a"])
    }

    @Test("A test that is not in the verdict counts as failing")
    func unknown() {
        let kata = kata(("a", .core, []))
        let verdict = Verdict(
            kata: "K", outcome: .didNotCompile, points: 0, maxPoints: 1, seconds: 0, diagnostics: [], tests: [])
        #expect(verdict.rootFailures(in: kata).map(\.id) == ["a"])
    }
}
