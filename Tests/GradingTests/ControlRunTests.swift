import Testing
import Workbook

@testable import Grading

@Suite("Tests that passed are run again, and some of them have to fail")
struct ControlRunTests {
    private static let kata = Kata(
        kata: "K", order: 1, phase: 1, interface: [],
        tests: (0..<20).map {
            KataTest(id: "t\($0)", framework: .testing, tier: .core, points: 1, hint: "h", races: $0 == 19)
        })
    private static let passed = Dictionary(
        uniqueKeysWithValues: kata.tests.map { ($0.id, TestResult(outcome: .passed, expectations: 2)) })

    private static func run(_ results: [String: TestResult] = passed) throws -> ControlRun {
        var random = SystemRandomNumberGenerator()
        return try #require(ControlRun(of: kata, results, using: &random))
    }

    /// A run of all of them in which these tests fail.
    private static func report(
        _ run: ControlRun, failing: (String) -> Bool, ending: ChildProcess.Ending = .exited(0)
    ) -> RunReport {
        var report = RunReport(asked: run.tests)
        report.started = run.tests
        report.closed = true
        report.ending = ending
        for test in run.tests {
            let issues = failing(test) ? [RunReport.Issue(texts: ["no"])] : []
            report.tests[test] = RunReport.Observed(ended: true, issues: issues, expectations: 2)
        }
        return report
    }

    @Test("Half of the tests are turned round, and none that races, failed or looks at nothing")
    func drawn() throws {
        var results = Self.passed
        results["t0"]?.outcome = .failed
        results["t1"]?.expectations = 0
        for _ in 0..<20 {
            let run = try Self.run(results)
            #expect(run.tests.count == 12)
            #expect(run.turned.count == 6)
            #expect(Set(run.turned.values) == [2])
            #expect(Set(run.tests).isDisjoint(with: ["t0", "t1", "t19"]))
            #expect(Set(run.turned.keys).isSubset(of: run.tests))
        }
        var random = SystemRandomNumberGenerator()
        #expect(ControlRun(of: Self.kata, [:], using: &random) == nil)
    }

    @Test("It is confirmed if all of those fail that have to, and no others")
    func confirmed() throws {
        let run = try Self.run()
        let report = Self.report(run) { run.turned[$0] != nil }
        #expect(run.conclusion(report, Limits()) == .confirmed)
    }

    @Test("Failures are kept back if one of those passes")
    func keptBack() throws {
        let run = try Self.run()
        let one = try #require(run.turned.keys.first)
        let report = Self.report(run) { run.turned[$0] != nil && $0 != one }
        #expect(run.conclusion(report, Limits()) == .failuresKeptBack(one))
    }

    @Test("A test that has not come to the expectation that is turned round says nothing")
    func notReached() throws {
        let run = try Self.run()
        let one = try #require(run.turned.keys.first)
        var report = Self.report(run) { run.turned[$0] != nil && $0 != one }
        report.tests[one]?.expectations = 1
        #expect(run.conclusion(report, Limits()) == .confirmed)
    }

    @Test("A test that fails the second time has failed")
    func failed() throws {
        let run = try Self.run()
        let one = try #require(run.tests.first { run.turned[$0] == nil })
        let report = Self.report(run) { run.turned[$0] != nil || $0 == one }
        guard case .failed(let tests) = run.conclusion(report, Limits()) else {
            Issue.record("It has failed.")
            return
        }
        #expect(tests.mapValues(\.outcome) == [one: .failed])
    }

    @Test("A process that ends too early confirms nothing")
    func incomplete() throws {
        let run = try Self.run()
        var report = Self.report(run) { run.turned[$0] != nil }
        report.closed = false
        #expect(run.conclusion(report, Limits()) == .incomplete)
        report.closed = true
        report.ending = .signaled(6)
        #expect(run.conclusion(report, Limits()) == .incomplete)
    }
}
