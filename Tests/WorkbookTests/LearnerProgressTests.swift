import Foundation
import Testing
import Workbook

@Suite("What is remembered of a kata")
struct ProgressTests {
    private static let firstValue = Kata(
        kata: "FirstValue", order: 1, phase: 1, interface: [],
        tests: [
            KataTest(
                id: "T/a()", framework: .testing, tier: .core, points: 12, hint: "a", rule: "resume-once"),
            KataTest(
                id: "T/b()", framework: .testing, tier: .robust, points: 4, hint: "b", theme: .memory),
        ])

    private func verdict(_ outcome: Verdict.Outcome, points: Int) -> Verdict {
        Verdict(
            kata: "FirstValue", outcome: outcome, points: points, maxPoints: 16, seconds: 0.5, diagnostics: [],
            tests: [
                TestVerdict(id: "T/a()", outcome: .passed, points: points),
                TestVerdict(id: "T/b()", outcome: .crashed, points: 0),
            ])
    }

    private func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    @Test("The last verdict is always replaced, the best verdict only by a better one")
    func best() throws {
        var progress = LearnerProgress()
        progress.record(verdict(.failed, points: 5), of: Self.firstValue, at: time(1))
        progress.record(verdict(.passed, points: 12), of: Self.firstValue, at: time(2))
        progress.record(verdict(.didNotCompile, points: 0), of: Self.firstValue, at: time(3))
        let kata = try #require(progress.katas["FirstValue"])
        #expect(kata.best?.outcome == .passed)
        #expect(kata.best?.at == time(2))
        #expect(kata.last?.outcome == .didNotCompile)
        #expect(kata.last?.failing == ["T/b()"])
        #expect(kata.attempts == 3)
    }

    @Test("The same text again does not count as another try")
    func tries() {
        var progress = LearnerProgress()
        for text in ["a", "a", "b", "b", "a"] {
            progress.record(verdict(.failed, points: 5), of: Self.firstValue, on: text, at: time(1))
        }
        #expect(progress.katas["FirstValue"]?.attempts == 3)
    }

    @Test("Of two failed verdicts, the one with more points is better; of equal ones the first")
    func points() throws {
        var progress = LearnerProgress()
        for (index, points) in [5, 7, 7, 6].enumerated() {
            progress.record(verdict(.failed, points: points), of: Self.firstValue, at: time(Double(index)))
        }
        #expect(progress.katas["FirstValue"]?.best?.at == time(1))
    }

    @Test("Each mistake has three hints of its own; of a test, the mistake counts of which most were shown")
    func hints() {
        var progress = KataProgress()
        #expect((1...4).map { _ in progress.showNextHint(of: "T/a() late") } == [1, 2, 3, 3])
        #expect(progress.showNextHint(of: "T/a()") == 1)
        #expect(progress.showNextHint(of: "T/a()b") == 1)
        #expect(progress.hintsShown(of: "T/a()") == 3)
        #expect(progress.hintsShown(of: "T/b()") == 0)
    }

    @Test("Times are those of the first try, the first pass and the first mastery; the shipped stub is not a try")
    func times() throws {
        var progress = LearnerProgress()
        let outcomes: [Verdict.Outcome] = [.notStarted, .rejected, .passed, .mastered, .passed, .mastered]
        for (index, outcome) in outcomes.enumerated() {
            progress.record(verdict(outcome, points: 12), of: Self.firstValue, at: time(Double(index) + 0.9))
        }
        let kata = try #require(progress.katas["FirstValue"])
        #expect(kata.firstTriedAt == time(1))
        #expect(kata.passedAt == time(2))
        #expect(kata.masteredAt == time(3))
        #expect(kata.attempts == 5)
        #expect(kata.best?.outcome == .mastered)
    }

    @Test("A theme that is complete and a rule that is met are told and remembered once")
    func milestones() throws {
        var progress = LearnerProgress()
        var met = Milestones()
        met.rules = ["resume-once"]
        #expect(progress.record(verdict(.passed, points: 12), of: Self.firstValue, at: time(1)) == met)
        var mastered = verdict(.mastered, points: 16)
        mastered.tests[1].outcome = .passed
        var complete = Milestones()
        complete.themes = [.memory]
        #expect(progress.record(mastered, of: Self.firstValue, at: time(2)) == complete)
        #expect(progress.record(mastered, of: Self.firstValue, at: time(3)).isEmpty)
        #expect(progress.rules == ["resume-once": "FirstValue"])
        #expect(progress.katas["FirstValue"]?.themesCompletedAt == ["memory": time(2)])
        let data = try JSONEncoder().encode(progress)
        #expect(try JSONDecoder().decode(LearnerProgress.self, from: data) == progress)
    }

    @Test("Points that were remembered when the kata had others are those of the same tests today")
    func earlierPoints() throws {
        let kata = Self.firstValue.withUsualPoints
        let attempt = Attempt(verdict(.passed, points: 12), at: time(1))
        #expect(Self.firstValue.maxPoints == 16)
        #expect(attempt.points(in: Self.firstValue) == 12)
        #expect(attempt.points(in: kata) == 60)
        #expect(Attempt(verdict(.didNotCompile, points: 0), at: time(1)).points(in: kata) == 0)
    }
}
