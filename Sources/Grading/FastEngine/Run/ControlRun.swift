import Workbook

/// A second run of tests that passed, in which most of them have to fail: one of their expectations is turned round.
///
/// Nothing that the submission can see tells these from the others. Code that keeps failures back keeps those back as well that
/// have to come, and code that does so in the first run only fails in the second.
struct ControlRun: Equatable {
    /// What is still to be run, in the order of `kata.json`.
    private(set) var tests: [String]
    /// Those that have to fail, and which of their expectations is turned round.
    private(set) var turned: [String: Int]
    /// Where threads race, a test may look at more expectations one time than the next, or at none.
    private let racing: Set<String>

    /// How many tests there are in it where nothing but the learner's own progress depends on it.
    private static let few = 12

    private init?(_ kata: Kata, turned: [String: Int], real: some Sequence<String>) {
        let tests = Set(turned.keys).union(real)
        guard !turned.isEmpty else { return nil }
        self.tests = kata.tests.map(\.id).filter(tests.contains)
        self.turned = turned
        racing = Set(kata.tests.filter(\.races).map(\.id))
    }

    /// Draws the tests: some of them, or all, in two runs, so that each has to fail in one of them.
    ///
    /// - Parameter able: the tests that look at an expectation, as the model answer shows. What the submission's own run says of
    ///   that is a hint only.
    static func drawn(
        of kata: Kata, _ results: [String: TestResult], able: Set<String>, all: Bool,
        using generator: inout some RandomNumberGenerator
    ) -> [ControlRun] {
        let last = expectations(of: kata, results, able)
        // A test that explores is over with the first order in which it has to fail, so it is not run whole once more.
        let explores = { (test: String) in (results[test]?.orders ?? 0) > 0 }
        let names = last.keys.sorted().shuffled(using: &generator)
        func turned(_ names: some Sequence<String>) -> [String: Int] {
            let names = Set(names)
            return last.filter { names.contains($0.key) }
        }
        let drawn = all ? names : Array(names.prefix(few))
        let (exploring, plain) = (drawn.filter(explores), drawn.filter { !explores($0) })
        if !all {
            let count = max((drawn.count + 1) / 2, exploring.count)
            return [ControlRun(kata, turned: turned((exploring + plain).prefix(count)), real: drawn)].compactMap { $0 }
        }
        let count = drawn.count / 4
        return [
            ControlRun(kata, turned: turned((plain + exploring).dropFirst(count)), real: drawn),
            ControlRun(kata, turned: turned((plain + exploring).prefix(count)), real: plain.suffix(count)),
        ].compactMap { $0 }
    }

    /// Another run of tests that have failed in one, with few that have to fail: a test that is left early may leave something
    /// behind that disturbs others.
    static func again(
        _ failed: Set<String>, of kata: Kata, _ results: [String: TestResult], able: Set<String>,
        using generator: inout some RandomNumberGenerator
    ) -> ControlRun? {
        let last = expectations(of: kata, results, able).filter { !failed.contains($0.key) }
        let drawn = Set(last.keys.sorted().shuffled(using: &generator).prefix(2))
        return ControlRun(kata, turned: last.filter { drawn.contains($0.key) }, real: failed)
    }

    /// Which expectation of each test that passed is turned round: the last one, and the first of a test that explores or races.
    private static func expectations(
        of kata: Kata, _ results: [String: TestResult], _ able: Set<String>
    ) -> [String: Int] {
        kata.tests.reduce(into: [:]) { last, test in
            guard able.contains(test.id), let result = results[test.id], result.outcome == .passed else { return }
            last[test.id] = test.races || result.orders > 0 ? 1 : max(1, result.expectations)
        }
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
            let saysNothing = observed.expectations == 0 && racing.contains(test)
            if let expectation = turned[test], observed.issues.isEmpty, !saysNothing {
                // A test that has not come so far is run once more: it always comes to its first expectation.
                if expectation == 1 || observed.expectations >= expectation { return .failureKeptBack(test) }
                turned[test] = 1
                continue
            }
            tests.removeAll { $0 == test }
            if turned[test] == nil, !observed.issues.isEmpty {
                failed[test] = TestResult(ended: observed)
            }
        }
        if report.isComplete && Set(report.started).isSuperset(of: tests) { return .failed(failed) }
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
