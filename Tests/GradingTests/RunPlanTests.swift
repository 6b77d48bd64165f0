import Testing
import Workbook

@testable import Grading

@Suite("What is run again, and what became of each test")
struct RunPlanTests {
    static func report(
        _ asked: [String], ended: [String], failed: Set<String> = [], current: String? = nil,
        stop: RunReport.Stop? = nil,
        ending: ChildProcess.Ending = .exited(0), closed: Bool = false
    ) -> RunReport {
        var report = RunReport(asked: asked)
        report.opened = true
        for test in ended {
            report.started.append(test)
            report.tests[test] = RunReport.Observed(ended: true, issues: failed.contains(test) ? [.init(texts: ["wrong"])] : [])
        }
        if let current {
            report.started.append(current)
            report.tests[current] = RunReport.Observed()
        }
        report.stop = stop
        report.ending = ending
        report.closed = closed
        return report
    }

    @Test("A run that closes decides everything")
    func complete() {
        var plan = RunPlan(tests: ["a", "b"])
        plan.take(Self.report(["a", "b"], ended: ["a", "b"], failed: ["b"], closed: true), limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.outcomes.mapValues(\.outcome) == ["a": .passed, "b": .failed])
    }

    @Test("Every test that ended, in a process that ended without closing, has the last one under suspicion")
    func endedBetween() {
        var plan = RunPlan(tests: ["a", "b", "c"])
        plan.take(Self.report(["a", "b", "c"], ended: ["a", "b"], ending: .exited(0)), limits: Limits())
        #expect(plan.outcomes["b"]?.outcome == .crashed)
        #expect(plan.outcomes["b"]?.messages == [LocalizableMessage(.exited, "0")])
        #expect(plan.next == ["c"])
    }

    @Test("A test whose passing is not confirmed is run again")
    func unconfirmed() {
        var plan = RunPlan(tests: ["a", "b", "c"])
        var report = Self.report(["a", "b", "c"], ended: ["a", "b"], current: "c", stop: .testLimit, ending: .stopped)
        report.unconfirmed = ["b"]
        plan.take(report, limits: Limits())
        #expect(plan.outcomes.mapValues(\.outcome) == ["a": .passed, "c": .timedOut])
        #expect(plan.next == ["b"])
    }

    @Test("One that is found to have crashed the next is not")
    func unconfirmedCrash() {
        var plan = RunPlan(tests: ["a", "b", "c"])
        var report = Self.report(["a", "b", "c"], ended: ["a"], current: "b", ending: .signaled(6))
        report.unconfirmed = ["a"]
        plan.take(report, limits: Limits())
        #expect(plan.next == ["b"])
        plan.take(Self.report(["b"], ended: ["b"], closed: true), limits: Limits())
        #expect(plan.outcomes.mapValues(\.outcome) == ["a": .crashed, "b": .passed])
        #expect(plan.next == ["c"])
    }

    @Test("A test that crashes behind others is run alone, and then the rest")
    func crash() {
        var plan = RunPlan(tests: ["a", "b", "c"])
        plan.take(Self.report(["a", "b", "c"], ended: ["a"], current: "b", ending: .signaled(6)), limits: Limits())
        #expect(plan.next == ["b"])
        plan.take(Self.report(["b"], ended: [], current: "b", ending: .signaled(6)), limits: Limits())
        #expect(plan.next == ["c"])
        plan.take(Self.report(["c"], ended: ["c"], closed: true), limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.outcomes.mapValues(\.outcome) == ["a": .passed, "b": .crashed, "c": .passed])
    }

    @Test("Where it passes alone, the crash was the fault of the test before")
    func crashOfTheOneBefore() {
        var plan = RunPlan(tests: ["a", "b"])
        plan.take(Self.report(["a", "b"], ended: ["a"], current: "b", ending: .signaled(6)), limits: Limits())
        plan.take(Self.report(["b"], ended: ["b"], closed: true), limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.outcomes.mapValues(\.outcome) == ["a": .crashed, "b": .passed])
    }

    @Test("A test that hangs is not run again; the rest is")
    func hang() {
        var plan = RunPlan(tests: ["a", "b", "c"])
        plan.take(
            Self.report(["a", "b", "c"], ended: ["a"], current: "b", stop: .testLimit, ending: .stopped),
            limits: Limits())
        #expect(plan.outcomes["b"]?.messages == [LocalizableMessage(.timedOut, "4")])
        #expect(plan.next == ["c"])
    }

    @Test("When the suite's time is used up, what is left was not run")
    func suiteLimit() {
        var plan = RunPlan(tests: ["a", "b", "c"])
        plan.take(
            Self.report(["a", "b", "c"], ended: ["a"], current: "b", stop: .suiteLimit, ending: .stopped),
            limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.outcomes.mapValues(\.outcome) == ["a": .passed, "b": .timedOut, "c": .notRun])
        #expect(plan.outcomes["c"]?.messages == [LocalizableMessage(.suiteTimedOut, "10")])
    }

    @Test("What never started did not pass, though the run closed")
    func neverStarted() {
        var plan = RunPlan(tests: ["a", "b"])
        plan.take(Self.report(["a", "b"], ended: ["a"], closed: true), limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.outcomes["b"]?.outcome == .notRun)
    }

    @Test("A test that was skipped did not pass")
    func skipped() {
        var report = Self.report(["a"], ended: ["a"], closed: true)
        report.tests["a"]?.skipped = true
        var plan = RunPlan(tests: ["a"])
        plan.take(report, limits: Limits())
        #expect(plan.outcomes["a"]?.outcome == .notRun)
    }

    @Test("Core decides passed, all decides mastered")
    func outcome() {
        func test(_ id: String, _ tier: KataTest.Tier) -> KataTest {
            KataTest(id: id, framework: .testing, tier: tier, points: 1, hint: "")
        }
        let tests = [test("a", .core), test("b", .robust)]
        func outcome(_ outcomes: [String: TestVerdict.Outcome]) -> Verdict.Outcome {
            Verdict.outcome(
                of: tests, outcomes.mapValues { RunPlan.Outcome(outcome: $0, messages: [], output: [], outputCut: 0) }
            )
        }
        #expect(outcome(["a": .passed, "b": .passed]) == .mastered)
        #expect(outcome(["a": .passed, "b": .failed]) == .passed)
        #expect(outcome(["a": .passed]) == .passed)
        #expect(outcome(["a": .crashed, "b": .passed]) == .failed)
        #expect(outcome([:]) == .failed)
    }
}
