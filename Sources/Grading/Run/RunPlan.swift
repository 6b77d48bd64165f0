import Workbook

/// Which tests are run next, and what became of those that were: a crash or a hang in one test costs that test alone.
///
/// After a hang, nothing else runs in that process: code that computes without end takes the processor from the tests behind
/// it. The tests of the other parts come first then, and those that need the same part come last.
struct RunPlan {
    let tests: [String]
    private(set) var results: [String: TestResult] = [:]
    private var queue: [[String]]
    /// Tests that probably hang as well, and would use up the others' time.
    private var late: [[String]] = []
    private var hangs: Hangs
    /// Tests that may crash one time and pass the next, so that a second run of theirs tells nothing of the test before.
    private let racing: Set<String>
    /// Crashes that may be the fault of the test before, by the test that crashed: each is settled by running that by itself.
    private var suspicions: [String: (before: String, result: TestResult)] = [:]
    /// What was said of crashes that came again when their test was run by itself: the same words need no second look.
    private var settled: [[LocalizableMessage]] = []

    /// - Parameter groups: the tests that share a process.
    init(of kata: Kata, groups: [[String]]) {
        hangs = Hangs(kata)
        racing = Set(kata.tests.filter(\.races).map(\.id))
        tests = groups.flatMap { $0 }
        queue = groups.filter { !$0.isEmpty }
    }

    init(of kata: Kata) {
        self.init(of: kata, groups: [kata.tests.map(\.id)])
    }

    /// The tests to run now; `nil` when all is decided.
    var next: [String]? { queue.first ?? late.first }

    /// How long the tests that are run now are waited for.
    var patience: Patience {
        if queue.isEmpty { return .afterHangs }
        let crashes = results.values.count { $0.outcome == .crashed }
        return crashes > 2 || results.values.contains(where: \.waitedInVain) ? .short : .full
    }

    enum Patience {
        case full
        /// A test of another process waited in vain, or some have crashed, and most others will: their waits are given up
        /// sooner.
        case short
        /// The tests probably hang, as others did: they get less time as well.
        case afterHangs
    }

    /// Takes in what came of running `next`, or another group.
    mutating func take(_ report: RunReport, limits: Limits) {
        // Code of an earlier test that runs without end may have done this.
        let disturbed = report.disturbed
        let ended = report.started.filter {
            $0 != disturbed && report.tests[$0]?.ended == true && !report.unconfirmed.contains($0)
        }
        guard var remaining = removeGroup(report.asked) else {
            // They were given up while they ran: what has come to its end counts all the same.
            for test in ended where results[test]?.outcome == .notRun {
                results[test] = report.tests[test].map(TestResult.init(ended:))
            }
            return
        }
        for test in ended { results[test] = report.tests[test].map(TestResult.init(ended:)) }
        remaining.removeAll { ended.contains($0) }
        let finished = report.started.filter { report.tests[$0]?.ended == true }

        switch ending(of: report, finished: finished, limits) {
        case .settled(let crashed, let suspicion):
            suspicions[crashed] = nil
            settle(crashed, suspicion, isInnocent: report.isComplete && results[crashed]?.outcome == .passed)
        case .complete:
            noteEnds(finished)
            // What has not ended by now will not.
            leave(remaining, LocalizableMessage(.neverStarted))
        case .outOfTime(let current):
            if let current { results[current] = report.result(ofCurrent: current, limits) }
            noteEnds(finished)
            giveUp(LocalizableMessage(.suiteTimedOut, limits.suiteSeconds.short))
        case .disturbed(let test):
            noteEnds(finished.filter { $0 != test })
            queue.insert([test], at: 0)
            runLater(remaining.filter { $0 != test })
        case .suspicious(let crashed, let before, let result):
            suspicions[crashed] = (before, result)
            queue.insert([crashed], at: 0)
            runLater(remaining.filter { $0 != crashed })
        case .stopped(let test, let result):
            results[test] = result
            noteEnds(finished)
            remaining.removeAll { $0 == test }
            if result.isHang { putOff(remaining, passed: finished, hung: test) } else { runLater(remaining) }
        case .endless(let test):
            noteEnds(finished.filter { $0 != test })
            results[test]?.isHang = true
            putOff(remaining, passed: finished, hung: test)
        case .leftBehind(let test, let result):
            results[test] = result
            runLater(remaining.filter { $0 != test })
        case .notStarted:
            for test in remaining { results[test] = report.result(ofCurrent: test, limits) }
        }
    }

    /// How a process came to its end, and which test is to blame.
    private enum Ending {
        /// The test was run by itself, to see whether its crash is the fault of the test before.
        case settled(String, (before: String, result: TestResult))
        case complete
        /// The time of the whole suite is used up.
        case outOfTime(current: String?)
        /// Another test's code, which runs without end, may have done this to the test.
        case disturbed(String)
        /// The test crashed, perhaps by what the test before left behind.
        case suspicious(String, before: String, TestResult)
        /// The test crashed or hung.
        case stopped(String, TestResult)
        /// The test came to its end and has failed, and its code computes without end.
        case endless(String)
        /// The process ended between two tests, by what the test left behind.
        case leftBehind(String, TestResult)
        /// Not even the first test was started.
        case notStarted
    }

    private func ending(of report: RunReport, finished: [String], _ limits: Limits) -> Ending {
        if report.asked.count == 1, let test = report.asked.first, let suspicion = suspicions[test] {
            return .settled(test, suspicion)
        }
        if report.stop == .suiteLimit { return .outOfTime(current: report.current) }
        if report.isComplete { return .complete }
        if let disturbed = report.disturbed { return .disturbed(disturbed) }
        if let current = report.current {
            let result = report.result(ofCurrent: current, limits)
            // A crash in one order of steps that was explored is not the fault of another test.
            if result.outcome == .crashed, !result.isHang, result.found == nil, !racing.contains(current),
                !settled.contains(result.messages), let before = finished.last
            {
                return .suspicious(current, before: before, result)
            }
            return .stopped(current, result)
        }
        guard let last = finished.last else { return .notStarted }
        return report.stop == .endless ? .endless(last) : .leftBehind(last, report.result(ofCurrent: last, limits))
    }

    /// - Parameter isInnocent: whether the test passes alone, so that what ended the process was left behind by the test before.
    private mutating func settle(
        _ crashed: String, _ suspicion: (before: String, result: TestResult), isInnocent: Bool
    ) {
        if isInnocent {
            results[suspicion.before] = suspicion.result
            remove([suspicion.before])
        } else {
            results[crashed] = suspicion.result
            settled.append(suspicion.result.messages)
        }
    }

    private mutating func runLater(_ tests: [String]) {
        if !tests.isEmpty { queue.append(tests) }
    }

    private mutating func remove(_ tests: some Collection<String>) {
        queue = queue.map { $0.filter { !tests.contains($0) } }.filter { !$0.isEmpty }
        late = late.map { $0.filter { !tests.contains($0) } }.filter { !$0.isEmpty }
    }

    /// Those of the tests that are still to be run; `nil` where none is.
    private mutating func removeGroup(_ tests: [String]) -> [String]? {
        let left = Set((queue + late).joined())
        let found = tests.filter(left.contains)
        guard !found.isEmpty else { return nil }
        remove(found)
        return found
    }

    private mutating func noteEnds(_ tests: some Sequence<String>) { hangs.ended.formUnion(tests) }

    /// After a hang: what is left of its group and the other groups are run in another order.
    ///
    /// - Parameter passed: those of the group that came to their end before. Some of them have to be confirmed.
    private mutating func putOff(_ remaining: [String], passed: [String], hung: String) {
        hangs.hung.append(hung)
        let groups = [remaining.filter(passed.contains), remaining.filter { !passed.contains($0) }] + queue
        // What came to its end once does not hang, and has to be confirmed with all the time that it needs.
        let mayHang = { [hangs] (test: String) in !hangs.ended.contains(test) && hangs.mayHang(test) }
        late = hangs.inOrder(late + groups.map { $0.filter(mayHang) })
        queue = hangs.ordered(groups.map { $0.filter { !mayHang($0) } })
        let hopeless = Set((queue + late).joined().filter(hangs.isHopeless))
        remove(hopeless)
        leave(tests.filter(hopeless.contains), LocalizableMessage(.notRunAfterHang), isHang: true)
    }

    /// Gives up what has not been run.
    mutating func giveUp(_ message: LocalizableMessage) {
        for (crashed, suspicion) in suspicions { results[crashed] = suspicion.result }
        suspicions = [:]
        queue = []
        late = []
        leave(tests, message)
    }

    private mutating func leave(_ tests: [String], _ message: LocalizableMessage, isHang: Bool = false) {
        for test in tests where results[test] == nil {
            results[test] = TestResult(outcome: .notRun, messages: [message], isHang: isHang)
        }
    }
}

extension RunPlan {
    /// Runs what is left of a suite, and what a crash or a hang leaves of that, until every test has a result or the time is
    /// used up.
    func results(
        of kata: Kata, limits: Limits, until end: ContinuousClock.Instant, cancellation: CancellationFlag,
        run: (_ tests: [String], _ patience: Patience, _ end: ContinuousClock.Instant) throws(GradingStop) -> RunReport
    ) throws(GradingStop) -> [String: TestResult] {
        var (plan, end) = (self, end)
        while let tests = plan.next {
            if cancellation.isCancelled { throw .trouble(GradingError(.abandoned, kata.kata)) }
            guard ContinuousClock.now < end else {
                plan.giveUp(LocalizableMessage(.suiteTimedOut, limits.suiteSeconds.short))
                break
            }
            let patience = plan.patience
            let report = try run(tests, patience, end)
            end += report.heldUp
            plan.take(report, limits: limits.with(patience))
        }
        return plan.results
    }
}

extension Limits {
    /// Tests that probably hang, as others did, use up no more time than is needed to see it.
    func with(_ patience: RunPlan.Patience) -> Limits {
        var limits = self
        if patience == .afterHangs { limits.testSeconds = testSeconds / 2 }
        return limits
    }
}

extension TestResult {
    /// Whether a wait of the test was given up.
    fileprivate var waitedInVain: Bool {
        let keys: [LocalizableMessage.Key] = [
            .deadline, .deadlineArrived, .deadlineInCase, .notCancelled, .notCancelledArrived, .notCancelledInCase,
            .upstreamNotCancelledArrived,
            .leaked, .leakedArrived, .leakedInCase, .noThreadLeft, .stillRunning, .stillRunningArrived,
            .stillRunningInCase,
        ]
        return messages.contains { keys.contains($0.key) }
    }

    /// What became of a test that came to its end.
    init(ended test: RunReport.Observed) {
        let said = test.issues
        var messages = said.map(\.message) + test.cuts
        var output = test.output
        if !messages.isEmpty {
            messages = RunReport.leaks(in: output) + messages
            output = RunReport.withoutLeaks(output)
        }
        if test.skipped, messages.isEmpty { messages = [LocalizableMessage(.neverStarted)] }
        self.init(
            outcome: !said.isEmpty ? .failed : test.skipped ? .notRun : .passed, messages: messages,
            marbles: said.lazy.compactMap(\.marbles).first, found: said.lazy.compactMap(\.schedule).first,
            kind: said.first?.kind, differences: said.first?.differences, output: output, outputCut: test.outputCut,
            expectations: test.expectations,
            orders: test.orders)
    }
}

extension Double {
    /// Seconds as a person writes them: `10`, `0.5`.
    var short: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
