import Testing
import Workbook

@Suite("The themes of a kata")
struct ThemeTests {
    private static let kata = Kata(
        kata: "One", order: 1, phase: 1, interface: [],
        tests: [
            KataTest(id: "T/core()", framework: .testing, tier: .core, points: 1, hint: "a"),
            KataTest(id: "T/first()", framework: .testing, tier: .robust, points: 1, hint: "b", theme: .memory),
            KataTest(id: "T/second()", framework: .testing, tier: .robust, points: 2, hint: "c", theme: .errors),
            KataTest(
                id: "T/third()", framework: .testing, tier: .robust, points: 1, hint: "d", after: ["T/second()"],
                theme: .memory),
            KataTest(id: "T/fourth()", framework: .testing, tier: .robust, points: 1, hint: "e", theme: .errors),
        ])

    private func verdict(_ outcome: Verdict.Outcome, passing: [String]) -> Verdict {
        Verdict(
            kata: "One", outcome: outcome, points: 0, maxPoints: 100, seconds: 0, diagnostics: [],
            tests: Self.kata.tests.map {
                TestVerdict(id: $0.id, outcome: passing.contains($0.id) ? .passed : .failed, points: 0)
            })
    }

    @Test("come in the order of the tests, each with how many of its tests pass")
    func counts() {
        let themes = verdict(.passed, passing: ["T/core()", "T/second()"]).themes(in: Self.kata)
        #expect(themes.map(\.theme) == [.memory, .errors])
        #expect(themes.map(\.passed) == [0, 1])
        #expect(themes.map(\.tests) == [2, 2])
        #expect(themes.map(\.isComplete) == [false, false])
    }

    @Test("are taken one at a time once the kata is passed, and not before")
    func oneAtATime() {
        let passed = verdict(.passed, passing: ["T/core()", "T/first()"])
        #expect(passed.nextFailures(in: Self.kata).map(\.id) == ["T/second()", "T/fourth()"])
        let failed = verdict(.failed, passing: [])
        #expect(failed.nextFailures(in: Self.kata) == failed.rootFailures(in: Self.kata))
    }

    @Test(
        "A kata is worth 100 points, 60 of them core, shared out by the tests' weights; core tests alone are worth all")
    func points() {
        let kata = Self.kata.withUsualPoints
        #expect(kata.tests.map(\.points) == [60, 8, 16, 8, 8])
        #expect(kata.maxPoints == 100)
        #expect(kata.withUsualPoints == kata)
        var core = Self.kata
        core.tests.removeAll { $0.tier == .robust }
        #expect(core.withUsualPoints.tests.map(\.points) == [100])
    }
}
