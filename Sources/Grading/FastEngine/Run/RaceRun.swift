import Workbook

/// A run of tests that passed and explore no orders, to see whether two accesses meet in them of which one is a write.
///
/// Only robust tests are run: what has passed stays passed, and what holds a race is not mastered.
struct RaceRun {
    /// What is still to be run, in the order of `kata.json`.
    private(set) var tests: [String]
    private(set) var failed: [String: TestResult] = [:]

    init(of kata: Kata, _ results: [String: TestResult]) {
        tests = kata.tests.filter { $0.framework == .testing && $0.tier == .robust }.map(\.id).filter {
            guard let result = results[$0] else { return false }
            return result.outcome == .passed && result.orders == 0
        }
    }

    /// Takes in what has met. A test that ends the process, or comes to no end in one of the orders, has shown nothing.
    mutating func take(_ report: RunReport) {
        for (test, observed) in report.tests where observed.ended && !observed.issues.isEmpty {
            let result = TestResult(ended: observed)
            if result.kind == "dataRace" { failed[test] = result }
        }
        let left = tests.drop { $0 != report.started.last }.dropFirst()
        tests = report.isComplete || report.started.isEmpty ? [] : Array(left)
    }
}
