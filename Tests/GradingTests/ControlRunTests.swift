import Testing
import Workbook

@testable import Grading

@Suite("Tests that passed are run again, and most of them have to fail")
struct ControlRunTests {
    private static let kata = Kata(
        kata: "K", order: 1, phase: 1, interface: [],
        tests: (0..<20).map {
            KataTest(id: "t\($0)", framework: .testing, tier: .core, points: 1, hint: "h", races: $0 == 19)
        })
    private static let passed = Dictionary(
        uniqueKeysWithValues: kata.tests.map { ($0.id, TestResult(outcome: .passed, expectations: 2)) })

    private static func drawn(
        _ results: [String: TestResult] = passed, able: Set<String> = Set(passed.keys), all: Bool
    ) -> [ControlRun] {
        var random = SystemRandomNumberGenerator()
        return ControlRun.drawn(of: kata, results, able: able, all: all, using: &random)
    }

    private static func one() throws -> ControlRun { try #require(drawn(all: false).first) }

    /// A run in which these tests fail.
    private static func report(_ run: ControlRun, failing: (String) -> Bool) -> RunReport {
        var report = RunReport(asked: run.tests)
        report.started = run.tests
        report.closed = true
        report.ending = .exited(0)
        for test in run.tests {
            let issues = failing(test) ? [RunReport.Issue(texts: ["no"])] : []
            report.tests[test] = RunReport.Observed(ended: true, issues: issues, expectations: 2)
        }
        return report
    }

    @Test("A learner's own verdict has half of twelve tests turned round, and none that failed or expects nothing")
    func few() throws {
        var results = Self.passed
        results["t0"]?.outcome = .failed
        let able = Set(Self.passed.keys).subtracting(["t1"])
        for _ in 0..<20 {
            let runs = Self.drawn(results, able: able, all: false)
            let run = try #require(runs.first)
            #expect(runs.count == 1 && run.tests.count == 12 && run.turned.count == 6)
            #expect(Set(run.tests).isDisjoint(with: ["t0", "t1"]))
            #expect(Set(run.turned.keys).isSubset(of: run.tests))
        }
        #expect(Self.drawn([:], all: false) == [])
    }

    @Test("A verdict that others rely on has each test turned round, never all of a run")
    func all() {
        for _ in 0..<20 {
            let runs = Self.drawn(all: true)
            #expect(Set(runs.flatMap(\.turned.keys)) == Set(Self.passed.keys))
            #expect(runs.allSatisfy { $0.turned.count < $0.tests.count })
        }
        #expect(Self.drawn(["t3": TestResult(outcome: .passed, expectations: 1)], all: true).map(\.tests) == [["t3"]])
    }

    @Test("The last expectation is turned round, and the first of a test whose threads race")
    func expectations() {
        let turned = Self.drawn(all: true).reduce(into: [:]) { $0.merge($1.turned) { first, _ in first } }
        #expect(turned["t19"] == 1)
        #expect(Set(turned.filter { $0.key != "t19" }.values) == [2])
    }

    @Test("A test that explores has to fail at its first expectation, and is not run whole once more")
    func exploring() {
        let exploring = Set((0..<7).map { "t\($0)" })
        var results = Self.passed
        for test in exploring { results[test]?.orders = 150 }
        for _ in 0..<20 {
            for run in Self.drawn(results, all: false) + Self.drawn(results, all: true) {
                #expect(exploring.intersection(run.tests).allSatisfy { run.turned[$0] == 1 })
            }
            #expect(Set(Self.drawn(results, all: true).flatMap(\.turned.keys)) == Set(results.keys))
        }
    }

    @Test("All is well if those fail that have to, and no others")
    func confirmed() throws {
        var run = try Self.one()
        let report = Self.report(run) { run.turned[$0] != nil }
        #expect(run.take(report, Limits()) == .failed([:]))
        #expect(run.tests == [])
    }

    @Test("A failure is kept back if one of those passes")
    func keptBack() throws {
        var run = try Self.one()
        let one = try #require(run.turned.keys.first)
        let report = Self.report(run) { run.turned[$0] != nil && $0 != one }
        #expect(run.take(report, Limits()) == .failureKeptBack(one))
    }

    @Test("A test that has not come to the expectation that is turned round is run with its first one turned round")
    func notReached() throws {
        var run = try Self.one()
        // Of a test that races, the first one is turned round from the start.
        let one = try #require(run.turned.first { $0.value == 2 }?.key)
        var report = Self.report(run) { run.turned[$0] != nil && $0 != one }
        report.tests[one]?.expectations = 1
        #expect(run.take(report, Limits()) == .failed([:]))
        #expect(run.tests == [one])
        #expect(run.turned[one] == 1)
        report = Self.report(run) { _ in false }
        report.tests[one]?.expectations = 0
        #expect(run.take(report, Limits()) == .failureKeptBack(one))
    }

    @Test(
        "A test that says it has expected nothing has to fail all the same, if it expects something of the model answer"
    )
    func saysNothing() throws {
        let results = Self.passed.mapValues { _ in TestResult(outcome: .passed, expectations: 0) }
        #expect(Set(Self.drawn(results, all: true).flatMap(\.turned.values)) == [1])
    }

    @Test("A test whose threads race may come to no expectation at all")
    func racing() throws {
        var run = try #require(Self.drawn(all: true).first { $0.turned["t19"] != nil })
        var report = Self.report(run) { run.turned[$0] != nil && $0 != "t19" }
        #expect(run.take(report, Limits()) == .failureKeptBack("t19"))
        report.tests["t19"]?.expectations = 0
        #expect(run.take(report, Limits()) == .failed([:]))
        #expect(run.tests == [])
    }

    @Test("A test that fails the second time has failed")
    func failed() throws {
        var run = try Self.one()
        let one = try #require(run.tests.first { run.turned[$0] == nil })
        let report = Self.report(run) { run.turned[$0] != nil || $0 == one }
        guard case .failed(let tests) = run.take(report, Limits()) else {
            Issue.record("It has failed.")
            return
        }
        #expect(tests.mapValues(\.outcome) == [one: .failed])
    }

    @Test(
        "A process that ends in a test that has to fail goes on with the rest; one that ends in another has crashed in it"
    )
    func crashed() throws {
        for isTurned in [true, false] {
            var run = try Self.one()
            let current = try #require(run.tests.dropFirst().first { (run.turned[$0] != nil) == isTurned })
            let place = try #require(run.tests.firstIndex(of: current))
            let rest = Array(run.tests[(place + 1)...])
            var report = Self.report(run) { run.turned[$0] != nil }
            report.started = Array(run.tests[...place])
            report.tests = report.tests.filter { report.started.contains($0.key) }
            report.tests[current]?.ended = false
            report.closed = false
            report.ending = .signaled(6)
            guard case .failed(let tests) = run.take(report, Limits()) else {
                Issue.record("Nothing was kept back.")
                continue
            }
            #expect(tests.mapValues(\.outcome) == (isTurned ? [:] : [current: .crashed]))
            #expect(run.tests == rest)
        }
    }

    @Test("What was not run again has not passed")
    func neverStarted() throws {
        var run = try Self.one()
        let real = Set(run.tests.filter { run.turned[$0] == nil })
        var report = RunReport(asked: run.tests)
        report.ending = .exited(1)
        guard case .failed(let tests) = run.take(report, Limits()) else {
            Issue.record("Nothing was kept back.")
            return
        }
        #expect(tests.mapValues(\.outcome) == Dictionary(uniqueKeysWithValues: real.map { ($0, .notRun) }))
        #expect(run.tests == [])
    }
}
