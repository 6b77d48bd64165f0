import Workbook

/// Which tests are run next, and what became of those that were: a crash or a hang in one test costs that test alone.
struct RunPlan {
    let tests: [String]
    private(set) var results: [String: TestResult] = [:]
    private var queue: [[String]]
    /// Tests whose failure a hang explains that was seen already: they would hang as well, and use up the others' time.
    private var late: [[String]] = []
    /// The tests whose failure explains a test's.
    private let explanations: [String: [String]]
    /// Crashes that may be the fault of the test before, by the test that crashed: each is settled by running that by itself.
    private var suspicions: [String: (before: String, result: TestResult)] = [:]
    /// What was said of crashes that came again when their test was run by itself: the same words need no second look.
    private var settled: [[LocalizableMessage]] = []

    init(tests: [String], explanations: [String: [String]] = [:]) {
        self.init(groups: [tests], explanations: explanations)
    }

    /// - Parameters:
    ///   - groups: the tests that share a process.
    ///   - explanations: the tests whose failure explains a test's, by the test.
    init(groups: [[String]], explanations: [String: [String]] = [:]) {
        self.explanations = explanations
        tests = groups.flatMap { $0 }
        queue = groups.filter { !$0.isEmpty }
    }

    /// The tests to run now; `nil` when all is decided.
    var next: [String]? { queue.first ?? late.first }

    /// Takes in what came of running `next`, or another group.
    mutating func take(_ report: RunReport, limits: Limits) {
        var remaining: [String]
        if let index = queue.firstIndex(of: report.asked) {
            remaining = queue.remove(at: index)
        } else if let index = late.firstIndex(of: report.asked) {
            remaining = late.remove(at: index)
        } else {
            return
        }
        for test in report.started where report.tests[test]?.ended == true && !report.unconfirmed.contains(test) {
            results[test] = report.tests[test].map(TestResult.init(ended:))
            remaining.removeAll { $0 == test }
        }
        let finished = report.started.filter { report.tests[$0]?.ended == true }

        if let crashed = report.asked.first, report.asked.count == 1,
            let suspicion = suspicions.removeValue(forKey: crashed)
        {
            if report.isComplete, let alone = results[crashed], alone.outcome == .passed {
                // Alone it passes: what ended the process was left behind by the test before.
                results[suspicion.before] = suspicion.result
                queue = queue.map { $0.filter { $0 != suspicion.before } }.filter { !$0.isEmpty }
                late = late.map { $0.filter { $0 != suspicion.before } }.filter { !$0.isEmpty }
            } else {
                results[crashed] = suspicion.result
                settled.append(suspicion.result.messages)
            }
            return
        }
        if report.isComplete || report.stop == .suiteLimit {
            // What has not ended by now will not, at least not in time.
            let message =
                report.stop == .suiteLimit
                ? LocalizableMessage(.suiteTimedOut, limits.suiteSeconds.short) : LocalizableMessage(.neverStarted)
            if report.stop == .suiteLimit, let current = report.current {
                results[current] = report.result(ofCurrent: current, limits)
                remaining.removeAll { $0 == current }
            }
            if report.stop == .suiteLimit { giveUp(message) } else { leave(remaining, message) }
            return
        }
        if let current = report.current {
            remaining.removeAll { $0 == current }
            let result = report.result(ofCurrent: current, limits)
            if result.outcome == .crashed, !settled.contains(result.messages), let before = finished.last {
                suspicions[current] = (before, result)
                queue.insert([current], at: 0)
                if !remaining.isEmpty { queue.append(remaining) }
                return
            }
            results[current] = result
            if report.stop == .testLimit {
                let explained = explained(by: current)
                late.append(remaining.filter(explained.contains))
                late.removeAll(where: \.isEmpty)
                remaining.removeAll(where: explained.contains)
            }
        } else if let last = finished.last {
            // The process ended between two tests: by what the one before left behind.
            results[last] = report.result(ofCurrent: last, limits)
            remaining.removeAll { $0 == last }
        } else {
            // Not even the first was started.
            for test in remaining { results[test] = report.result(ofCurrent: test, limits) }
            remaining = []
        }
        if !remaining.isEmpty { queue.append(remaining) }
    }

    /// The tests whose failure a test's failure explains, by themselves or through others.
    private func explained(by test: String) -> Set<String> {
        var found: Set<String> = [test]
        var count = 0
        while count < found.count {
            count = found.count
            for (other, causes) in explanations where causes.contains(where: found.contains) { found.insert(other) }
        }
        found.remove(test)
        return found
    }

    /// Gives up what has not been run.
    mutating func giveUp(_ message: LocalizableMessage) {
        for (crashed, suspicion) in suspicions { results[crashed] = suspicion.result }
        suspicions = [:]
        queue = []
        late = []
        leave(tests, message)
    }

    private mutating func leave(_ tests: [String], _ message: LocalizableMessage) {
        for test in tests where results[test] == nil {
            results[test] = TestResult(outcome: .notRun, messages: [message])
        }
    }
}

extension RunPlan {
    /// Runs a suite, and what a crash or a hang has left of it, until every test has a result or the time is used up.
    static func results(
        of kata: Kata, limits: Limits, cancellation: CancellationFlag,
        run: (_ tests: [String], _ end: ContinuousClock.Instant) throws(GradingStop) -> RunReport
    ) throws(GradingStop) -> [String: TestResult] {
        try RunPlan(tests: kata.tests.map(\.id), explanations: kata.explanations).results(
            of: kata, limits: limits, until: .now + .seconds(limits.suiteSeconds), cancellation: cancellation, run: run)
    }

    /// The same for a plan that has taken in some reports already.
    func results(
        of kata: Kata, limits: Limits, until end: ContinuousClock.Instant, cancellation: CancellationFlag,
        run: (_ tests: [String], _ end: ContinuousClock.Instant) throws(GradingStop) -> RunReport
    ) throws(GradingStop) -> [String: TestResult] {
        var (plan, end) = (self, end)
        while let tests = plan.next {
            if cancellation.isCancelled { throw .trouble(GradingError(.abandoned, kata.kata)) }
            guard ContinuousClock.now < end else {
                plan.giveUp(LocalizableMessage(.suiteTimedOut, limits.suiteSeconds.short))
                break
            }
            let report = try run(tests, end)
            end += report.heldUp
            plan.take(report, limits: limits)
        }
        return plan.results
    }
}

extension Kata {
    /// The tests whose failure explains a test's, by the test.
    var explanations: [String: [String]] {
        Dictionary(tests.map { ($0.id, $0.after) }) { first, _ in first }
    }
}

extension TestResult {
    /// What became of a test that came to its end.
    init(ended test: RunReport.Observed) {
        let said = test.issues.map { TestIssue($0) }
        var messages = said.map(\.message) + test.cuts(said)
        var output = test.output
        if !messages.isEmpty {
            messages = RunReport.leaks(in: output) + messages
            output = RunReport.withoutLeaks(output)
        }
        if test.skipped, messages.isEmpty { messages = [LocalizableMessage(.neverStarted)] }
        self.init(
            outcome: !said.isEmpty ? .failed : test.skipped ? .notRun : .passed, messages: messages,
            marbles: said.lazy.compactMap(\.marbles).first, kind: said.first?.kind, output: output,
            outputCut: test.outputCut)
    }
}

extension Double {
    /// Seconds as a person writes them: `10`, `0.5`.
    var short: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
