import Testing
import Workbook

@testable import Grading

@Suite("Which tests are run again, and the result of each test")
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
            report.tests[test] = RunReport.Observed(
                ended: true, issues: failed.contains(test) ? [.init(texts: ["wrong"])] : [])
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

    static func plan(
        _ tests: [String] = [], groups: [[String]]? = nil, after: [String: [String]] = [:],
        parts: [String: [String]] = [:], racing: Set<String> = []
    ) -> RunPlan {
        let groups = groups ?? [tests]
        let known = groups.joined().map { id in
            KataTest(
                id: id, framework: .testing, tier: .core, points: 1, hint: "", after: after[id] ?? [],
                parts: parts[id] ?? [], races: racing.contains(id))
        }
        return RunPlan(
            of: Kata(kata: "K", order: 1, phase: 1, interface: [], tests: Array(known)), groups: groups)
    }

    @Test("A run that ends as it should gives the result of every test")
    func complete() {
        var plan = Self.plan(["a", "b"])
        plan.take(Self.report(["a", "b"], ended: ["a", "b"], failed: ["b"], closed: true), limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.results.mapValues(\.outcome) == ["a": .passed, "b": .failed])
    }

    @Test("What has ended in one process counts, also where another one has used up the suite's time meanwhile")
    func suiteLimitOfOne() {
        var plan = Self.plan(groups: [["a", "b"], ["c", "d"]])
        plan.take(Self.report(["a", "b"], ended: ["a"], current: "b", stop: .suiteLimit), limits: Limits())
        #expect(plan.next == nil)
        plan.take(
            Self.report(["c", "d"], ended: ["c"], failed: ["c"], current: "d", stop: .suiteLimit), limits: Limits())
        #expect(
            plan.results.mapValues(\.outcome) == ["a": .passed, "b": .timedOut, "c": .failed, "d": .notRun])
    }

    @Test("If the process ends too early between two tests, the last test that ended is the suspect")
    func endedBetween() {
        var plan = Self.plan(["a", "b", "c"])
        plan.take(Self.report(["a", "b", "c"], ended: ["a", "b"], ending: .exited(0)), limits: Limits())
        #expect(plan.results["b"]?.outcome == .crashed)
        #expect(plan.results["b"]?.messages == [LocalizableMessage(.exited, "0")])
        #expect(plan.next == ["c"])
    }

    @Test("A passed test that is not confirmed is run again")
    func unconfirmed() {
        var plan = Self.plan(["a", "b", "c"])
        var report = Self.report(["a", "b", "c"], ended: ["a", "b"], current: "c", stop: .testLimit, ending: .stopped)
        report.unconfirmed = ["b"]
        plan.take(report, limits: Limits())
        #expect(plan.results.mapValues(\.outcome) == ["a": .passed, "c": .timedOut])
        #expect(plan.next == ["b"])
    }

    @Test("A test that is found to have crashed the next one is not run again")
    func unconfirmedCrash() {
        var plan = Self.plan(["a", "b", "c"])
        var report = Self.report(["a", "b", "c"], ended: ["a"], current: "b", ending: .signaled(6))
        report.unconfirmed = ["a"]
        plan.take(report, limits: Limits())
        #expect(plan.next == ["b"])
        plan.take(Self.report(["b"], ended: ["b"], closed: true), limits: Limits())
        #expect(plan.results.mapValues(\.outcome) == ["a": .crashed, "b": .passed])
        #expect(plan.next == ["c"])
    }

    @Test("A test that crashes after others is run alone, and then the rest is run")
    func crash() {
        var plan = Self.plan(["a", "b", "c"])
        plan.take(Self.report(["a", "b", "c"], ended: ["a"], current: "b", ending: .signaled(6)), limits: Limits())
        #expect(plan.next == ["b"])
        plan.take(Self.report(["b"], ended: [], current: "b", ending: .signaled(6)), limits: Limits())
        #expect(plan.next == ["c"])
        plan.take(Self.report(["c"], ended: ["c"], closed: true), limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.results.mapValues(\.outcome) == ["a": .passed, "b": .crashed, "c": .passed])
    }

    @Test("If it passes alone, the test before it caused the crash")
    func crashOfTheOneBefore() {
        var plan = Self.plan(["a", "b"])
        plan.take(Self.report(["a", "b"], ended: ["a"], current: "b", ending: .signaled(6)), limits: Limits())
        plan.take(Self.report(["b"], ended: ["b"], closed: true), limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.results.mapValues(\.outcome) == ["a": .crashed, "b": .passed])
    }

    @Test("A crash of a test whose threads race is its own: it may pass when it is run again")
    func crashInARace() {
        var plan = Self.plan(["a", "b", "c"], racing: ["b"])
        plan.take(Self.report(["a", "b", "c"], ended: ["a"], current: "b", ending: .signaled(11)), limits: Limits())
        #expect(plan.next == ["c"])
        plan.take(Self.report(["c"], ended: ["c"], closed: true), limits: Limits())
        #expect(plan.results.mapValues(\.outcome) == ["a": .passed, "b": .crashed, "c": .passed])
    }

    @Test("A crash with a message that was examined before is not examined again")
    func knownCrash() {
        let crash = ChildProcess.Ending.signaled(5)
        var plan = Self.plan(["a", "b", "c", "d"])
        plan.take(Self.report(["a", "b", "c", "d"], ended: ["a"], current: "b", ending: crash), limits: Limits())
        plan.take(Self.report(["b"], ended: [], current: "b", ending: crash), limits: Limits())
        plan.take(Self.report(["c", "d"], ended: ["c"], current: "d", ending: crash), limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.results.mapValues(\.outcome) == ["a": .passed, "b": .crashed, "c": .passed, "d": .crashed])
    }

    @Test("A test that hangs is not run again, and the rest is")
    func hang() {
        var plan = Self.plan(["a", "b", "c"])
        plan.take(
            Self.report(["a", "b", "c"], ended: ["a"], current: "b", stop: .testLimit, ending: .stopped),
            limits: Limits())
        #expect(plan.results["b"]?.messages == [LocalizableMessage(.timedOut, "4")])
        #expect(plan.next == ["c"])
    }

    @Test("Tests that a hang explains are run last: an endless loop costs only the tests of its part")
    func hangOfOnePart() {
        var plan = Self.plan(
            ["a", "a1", "a2", "b", "b1"], after: ["a1": ["a"], "a2": ["a1"], "b1": ["b"]])
        plan.take(
            Self.report(["a", "a1", "a2", "b", "b1"], ended: [], current: "a", stop: .testLimit, ending: .stopped),
            limits: Limits())
        #expect(plan.next == ["b", "b1"])
        plan.take(Self.report(["b", "b1"], ended: ["b", "b1"], closed: true), limits: Limits())
        #expect(plan.next == ["a1", "a2"])
        plan.take(
            Self.report(["a1", "a2"], ended: [], current: "a1", stop: .suiteLimit, ending: .stopped), limits: Limits())
        #expect(plan.next == nil)
        let outcomes = plan.results.mapValues(\.outcome)
        #expect(outcomes == ["a": .timedOut, "a1": .timedOut, "a2": .notRun, "b": .passed, "b1": .passed])
    }

    /// A run in which the last test that ended has failed, and its code computes without end.
    static func endless(_ asked: [String], ended: [String], since: String? = nil) -> RunReport {
        var report = report(
            asked, ended: ended, failed: Set(ended.suffix(1)), stop: .endless, ending: .stopped)
        report.firstEndless = since ?? ended.last
        return report
    }

    @Test("After an endless loop, the tests of the other parts come first, in a process of their own")
    func endlessLoopInOnePart() {
        var plan = Self.plan(
            ["ab", "a1", "a2", "b1", "b2"],
            parts: ["ab": ["a", "b"], "a1": ["a"], "a2": ["a"], "b1": ["b"], "b2": ["b"]])
        plan.take(Self.endless(["ab", "a1", "a2", "b1", "b2"], ended: ["ab"]), limits: Limits())
        #expect(plan.next == ["a1", "a2"])
        plan.take(Self.endless(["a1", "a2"], ended: ["a1"]), limits: Limits())
        #expect(plan.next == ["b1", "b2"])
        #expect(plan.patience == .full)
        plan.take(Self.report(["b1", "b2"], ended: ["b1", "b2"], closed: true), limits: Limits())
        #expect(plan.next == ["a2"])
        #expect(plan.patience == .afterHangs)
        plan.take(Self.report(["a2"], ended: ["a2"], closed: true), limits: Limits())
        #expect(plan.next == nil)
        let outcomes = plan.results.mapValues(\.outcome)
        #expect(outcomes == ["ab": .failed, "a1": .failed, "a2": .passed, "b1": .passed, "b2": .passed])
        #expect(plan.results.filter(\.value.isHang).keys.sorted() == ["a1", "ab"])
    }

    @Test("After a wait in vain, the tests of the next process are waited for as if it had been theirs")
    func waitInVain() {
        var plan = Self.plan(["a", "b", "c"])
        var report = Self.report(["a", "b", "c"], ended: ["a"], current: "b", ending: .signaled(11))
        let finding = #"{"key": "deadline", "arguments": [], "kind": "nothing"}"#
        report.tests["a"]?.issues = [.init(texts: [], finding: finding)]
        plan.take(report, limits: Limits())
        #expect(plan.patience == .short)
        #expect(Limits().with(plan.patience) == Limits())
    }

    @Test("After the third crash as well, as what crashes again and again is waited for each time")
    func severalCrashes() {
        var plan = Self.plan(["a", "b", "c", "d", "e"])
        var patience: [RunPlan.Patience] = []
        while let tests = plan.next, tests.count > 1 {
            plan.take(Self.report(tests, ended: [], current: tests[0], ending: .signaled(11)), limits: Limits())
            patience.append(plan.patience)
        }
        #expect(patience == [.full, .full, .short, .short])
    }

    @Test("If three tests of a part hang and none comes to its end, the others are not run")
    func partThatAlwaysHangs() {
        let tests = ["a1", "a2", "a3", "a4", "ab", "b"]
        var plan = Self.plan(
            tests, parts: ["a1": ["a"], "a2": ["a"], "a3": ["a"], "a4": ["a"], "ab": ["a", "b"], "b": ["b"]])
        plan.take(Self.endless(tests, ended: ["a1"]), limits: Limits())
        #expect(plan.next == ["b"])
        plan.take(Self.report(["b"], ended: ["b"], closed: true), limits: Limits())
        plan.take(Self.endless(["a2", "a3", "a4", "ab"], ended: ["a2"]), limits: Limits())
        plan.take(Self.endless(["a3", "a4", "ab"], ended: ["a3"]), limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.results["b"]?.outcome == .passed)
        for test in ["a4", "ab"] {
            let message = LocalizableMessage(.notRunAfterHang)
            #expect(plan.results[test] == TestResult(outcome: .notRun, messages: [message], isHang: true))
        }
    }

    @Test("A test that used up the processor time together with others is run alone, and nobody is blamed before")
    func processorTime() {
        var plan = Self.plan(["a", "b", "c"])
        plan.take(
            Self.report(["a", "b", "c"], ended: ["a"], current: "b", ending: .signaled(24)), limits: Limits())
        #expect(plan.next == ["b"])
        plan.take(Self.report(["b"], ended: ["b"], closed: true), limits: Limits())
        #expect(plan.next == ["c"])
        plan.take(Self.report(["c"], ended: [], current: "c", ending: .signaled(24)), limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.results.mapValues(\.outcome) == ["a": .passed, "b": .passed, "c": .crashed])
        #expect(plan.results["c"]?.isHang == true)
    }

    @Test("A test that fails beside another test's endless code is run alone")
    func disturbed() {
        var plan = Self.plan(["a", "b", "c"])
        plan.take(Self.endless(["a", "b", "c"], ended: ["a", "b"], since: "a"), limits: Limits())
        #expect(plan.results.mapValues(\.outcome) == ["a": .passed])
        #expect(plan.next == ["b"])
        plan.take(Self.report(["b"], ended: ["b"], closed: true), limits: Limits())
        #expect(plan.next == ["c"])
    }

    @Test("When the suite's time is used up, the other tests count as not run")
    func suiteLimit() {
        var plan = Self.plan(["a", "b", "c"])
        plan.take(
            Self.report(["a", "b", "c"], ended: ["a"], current: "b", stop: .suiteLimit, ending: .stopped),
            limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.results.mapValues(\.outcome) == ["a": .passed, "b": .timedOut, "c": .notRun])
        #expect(plan.results["c"]?.messages == [LocalizableMessage(.suiteTimedOut, "10")])
    }

    @Test("A test that never started has not passed, even if the run ended as it should")
    func neverStarted() {
        var plan = Self.plan(["a", "b"])
        plan.take(Self.report(["a", "b"], ended: ["a"], closed: true), limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.results["b"]?.outcome == .notRun)
    }

    @Test("Groups have processes of their own: a crash in one group does not affect the other")
    func groups() {
        var plan = Self.plan(groups: [["a", "b"], [], ["c", "d"]])
        plan.take(Self.report(["a", "b"], ended: [], current: "a", ending: .signaled(5)), limits: Limits())
        plan.take(Self.report(["c", "d"], ended: ["c", "d"], closed: true), limits: Limits())
        #expect(plan.results.mapValues(\.outcome) == ["a": .crashed, "c": .passed, "d": .passed])
        #expect(plan.next == ["b"])
    }

    @Test("Two crashes may be examined at the same time")
    func suspicions() {
        var plan = Self.plan(groups: [["a", "b"], ["c", "d"]])
        for (before, crashed) in [("a", "b"), ("c", "d")] {
            plan.take(
                Self.report([before, crashed], ended: [before], current: crashed, ending: .signaled(5)),
                limits: Limits())
        }
        plan.take(Self.report(["d"], ended: ["d"], closed: true), limits: Limits())
        plan.take(Self.report(["b"], ended: [], current: "b", ending: .signaled(5)), limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.results.mapValues(\.outcome) == ["a": .passed, "b": .crashed, "c": .crashed, "d": .passed])
    }

    @Test("A crash that there was no time to examine counts as a crash")
    func crashBeforeTheSuiteLimit() {
        var plan = Self.plan(groups: [["a", "b"], ["c", "d"]])
        plan.take(Self.report(["a", "b"], ended: ["a"], current: "b", ending: .signaled(5)), limits: Limits())
        plan.take(
            Self.report(["c", "d"], ended: [], current: "c", stop: .suiteLimit, ending: .stopped), limits: Limits())
        #expect(plan.next == nil)
        #expect(plan.results.mapValues(\.outcome) == ["a": .passed, "b": .crashed, "c": .timedOut, "d": .notRun])
    }

    @Test("A test that was skipped has not passed")
    func skipped() {
        var report = Self.report(["a"], ended: ["a"], closed: true)
        report.tests["a"]?.skipped = true
        var plan = Self.plan(["a"])
        plan.take(report, limits: Limits())
        #expect(plan.results["a"]?.outcome == .notRun)
    }
}

@Suite("A suite is run until every test has a result")
struct SuiteRunTests {
    static let kata = Kata(
        kata: "K", order: 1, phase: 1, interface: [],
        tests: ["a", "b", "c"].map { KataTest(id: $0, framework: .testing, tier: .core, points: 1, hint: "") })

    private static func results(
        limits: Limits = Limits(), cancellation: CancellationFlag = CancellationFlag(),
        run: ([String], RunPlan.Patience, ContinuousClock.Instant) throws(GradingStop) -> RunReport
    ) throws(GradingStop) -> [String: TestResult] {
        try RunPlan(of: kata).results(
            of: kata, limits: limits, until: .now + .seconds(limits.suiteSeconds), cancellation: cancellation, run: run)
    }

    @Test("The tests after a crash are run again without the crashed test")
    func again() throws {
        var asked: [[String]] = []
        let results = try Self.results {
            tests, _, _ in
            asked.append(tests)
            if tests == ["c"] { return RunPlanTests.report(tests, ended: tests, closed: true) }
            return RunPlanTests.report(
                tests, ended: tests == ["b"] ? [] : ["a"], current: "b", ending: .signaled(5))
        }
        #expect(asked == [["a", "b", "c"], ["b"], ["c"]])
        #expect(results.mapValues(\.outcome) == ["a": .passed, "b": .crashed, "c": .passed])
    }

    @Test("When the time is used up, the tests that have not run are given up")
    func time() throws {
        var limits = Limits()
        limits.suiteSeconds = 0
        let results = try Self.results(limits: limits) {
            tests, _, _ in
            RunPlanTests.report(tests, ended: tests, closed: true)
        }
        #expect(
            results.mapValues(\.messages)
                == Dictionary(
                    uniqueKeysWithValues: ["a", "b", "c"].map { ($0, [LocalizableMessage(.suiteTimedOut, "0")]) }))
    }

    @Test("If a run is held up, the deadline of the next runs is later")
    func heldUp() throws {
        var ends: [ContinuousClock.Instant] = []
        _ = try Self.results { tests, _, end in
            ends.append(end)
            var report = RunPlanTests.report(tests, ended: [], current: tests[0], stop: .testLimit, ending: .stopped)
            report.heldUp = .seconds(5)
            return report
        }
        #expect(zip(ends, ends.dropFirst()).map { $0.duration(to: $1) } == [.seconds(5), .seconds(5)])
    }

    @Test("After a cancellation, nothing is run")
    func cancelled() {
        let flag = CancellationFlag()
        flag.cancel()
        var runs = 0
        #expect(throws: GradingStop.self) {
            try Self.results(cancellation: flag) { tests, _, _ in
                runs += 1
                return RunPlanTests.report(tests, ended: tests, closed: true)
            }
        }
        #expect(runs == 0)
    }
}
