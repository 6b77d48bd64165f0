import Workbook

/// A second run of tests that passed, in which most of them have to fail: one of their expectations is turned round.
///
/// Nothing that the submission can see tells these from the others. Code that keeps failures back keeps those back as well that
/// have to come, and code that does so in the first run only fails in the second.
struct ControlRun: Equatable {
    /// What is still to be run, in the order of `kata.json`.
    private(set) var tests: [String]
    /// Those that have to fail, and which of their expectations is turned round.
    let turned: [String: Int]

    /// How many tests there are in it where nothing but the learner's own progress depends on it.
    private static let few = 12

    /// Draws the tests: some of them, or all, in two runs, so that each has to fail in one of them.
    static func drawn(
        of kata: Kata, _ results: [String: TestResult], all: Bool, using generator: inout some RandomNumberGenerator
    ) -> [ControlRun] {
        var able: [String: Int] = [:]
        for test in kata.tests {
            guard let result = results[test.id], result.outcome == .passed, result.expectations > 0 else { continue }
            // Where threads race, a test may look at more expectations one time than the next.
            able[test.id] = test.races ? 1 : result.expectations
        }
        func run(turned: some Sequence<String>, real: some Sequence<String>) -> ControlRun? {
            let chosen = Set(turned)
            let turned = able.filter { chosen.contains($0.key) }
            let tests = Set(turned.keys).union(real)
            return turned.isEmpty ? nil : ControlRun(tests: kata.tests.map(\.id).filter(tests.contains), turned: turned)
        }
        let names = kata.tests.map(\.id).filter { able[$0] != nil }.shuffled(using: &generator)
        if !all {
            let drawn = names.prefix(few)
            return [run(turned: drawn.prefix((drawn.count + 1) / 2), real: drawn)].compactMap { $0 }
        }
        let count = names.count / 4
        return [
            run(turned: names.dropFirst(count), real: names),
            run(turned: names.prefix(count), real: names.suffix(count)),
        ].compactMap { $0 }
    }

    /// What a run of `tests` has shown.
    enum Conclusion: Equatable {
        /// A test that had to fail has not.
        case failureKeptBack(String)
        /// These tests have failed that had passed before; none, where all is as it should be.
        case failed([String: TestResult])
    }

    mutating func take(_ report: RunReport, _ limits: Limits) -> Conclusion {
        var failed: [String: TestResult] = [:]
        for test in report.started {
            guard let observed = report.tests[test], observed.ended else { continue }
            tests.removeAll { $0 == test }
            if let expectation = turned[test] {
                if observed.issues.isEmpty, observed.expectations >= expectation { return .failureKeptBack(test) }
            } else if !observed.issues.isEmpty {
                failed[test] = TestResult(ended: observed)
            }
        }
        if report.isComplete || report.started.isEmpty {
            return .failed(failed.merging(leave(LocalizableMessage(.neverStarted))) { first, _ in first })
        }
        // A test that has to fail may end the process, too.
        if let current = report.current {
            tests.removeAll { $0 == current }
            if turned[current] == nil { failed[current] = report.result(ofCurrent: current, limits) }
        }
        return .failed(failed)
    }

    /// Gives up what has not been run, and returns what that makes of the tests which had to pass again.
    mutating func leave(_ message: LocalizableMessage) -> [String: TestResult] {
        defer { tests = [] }
        let left = tests.filter { turned[$0] == nil }
        return Dictionary(uniqueKeysWithValues: left.map { ($0, TestResult(outcome: .notRun, messages: [message])) })
    }
}
