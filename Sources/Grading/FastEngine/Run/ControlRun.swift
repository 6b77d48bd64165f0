import Workbook

/// A second run of some tests that passed, in which others of them have to fail: one of their expectations is turned round.
///
/// Nothing that the submission can see tells the two apart. Code that keeps failures back keeps those back as well that have to
/// come, and code that does so in the first run only fails in the second.
struct ControlRun {
    /// In the order of `kata.json`.
    let tests: [String]
    /// Those that have to fail, and which of their expectations is turned round.
    let turned: [String: Int]

    private static let most = 12

    /// Draws the tests; `nil` where none can be used.
    init?(of kata: Kata, _ results: [String: TestResult], using generator: inout some RandomNumberGenerator) {
        // Where threads race, a test may look at more expectations one time than the next.
        let able = kata.tests.filter { test in
            !test.races && results[test.id].map { $0.outcome == .passed && $0.expectations > 0 } == true
        }
        let drawn = able.map(\.id).shuffled(using: &generator).prefix(Self.most)
        guard !drawn.isEmpty else { return nil }
        tests = kata.tests.map(\.id).filter(drawn.contains)
        turned = drawn.prefix((drawn.count + 1) / 2).reduce(into: [:]) { turned, test in
            turned[test] = results[test]?.expectations
        }
    }

    /// What a run of them has shown.
    enum Conclusion: Equatable {
        case confirmed
        /// A test that had to fail has not.
        case failuresKeptBack(String)
        /// These tests have failed that had passed before.
        case failed([String: TestResult])
        /// The process ended before all was known.
        case incomplete
    }

    func conclusion(_ report: RunReport, _ limits: Limits) -> Conclusion {
        for (test, expectation) in turned {
            guard let observed = report.tests[test], observed.ended, observed.expectations >= expectation else {
                continue
            }
            if observed.issues.isEmpty { return .failuresKeptBack(test) }
        }
        var failed: [String: TestResult] = [:]
        for test in tests where turned[test] == nil {
            guard let observed = report.tests[test], observed.ended, !observed.issues.isEmpty else { continue }
            failed[test] = TestResult(ended: observed)
        }
        if let current = report.current, turned[current] == nil, report.stop != .suiteLimit {
            failed[current] = report.result(ofCurrent: current, limits)
        }
        if !failed.isEmpty { return .failed(failed) }
        return report.isComplete ? .confirmed : .incomplete
    }
}
