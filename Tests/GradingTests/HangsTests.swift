import Testing
import Workbook

@testable import Grading

@Suite("The part that did not come to its end")
struct HangsTests {
    /// Two parts with tests of their own, one test of both, and a part that needs the first one.
    static let kata = Kata(
        kata: "K", order: 1, phase: 1, interface: [],
        tests: [
            ("a1", ["a"]), ("a2", ["a"]), ("b1", ["b"]), ("b2", ["b"]), ("ab", ["a", "b"]), ("ac", ["a", "c"]),
        ].map { KataTest(id: $0.0, framework: .testing, tier: .core, points: 1, hint: "", parts: $0.1) })

    /// For each test that hung or was not run for that, the part.
    private func parts(
        hung: Set<String>, notRun: Set<String> = [], failed: Set<String> = [], mentioned: Set<String> = []
    )
        -> [String: String]
    {
        let results = Dictionary(
            uniqueKeysWithValues: Self.kata.tests.map { test in
                let outcome: TestVerdict.Outcome =
                    notRun.contains(test.id) ? .notRun : hung.union(failed).contains(test.id) ? .failed : .passed
                let isHang = hung.contains(test.id) || notRun.contains(test.id)
                return (test.id, TestResult(outcome: outcome, isHang: isHang))
            })
        let hangs = Hangs(Self.kata, results)
        return results.filter(\.value.isHang).keys.reduce(into: [:]) {
            $0[$1] = hangs.part(of: $1, mentioned: mentioned)
        }
    }

    @Test("is named where the tests of the other parts pass")
    func named() {
        #expect(parts(hung: ["b1", "b2", "ab"]) == ["b1": "b", "b2": "b", "ab": "b"])
        #expect(parts(hung: ["b1", "ab"], notRun: ["b2"]) == ["b1": "b", "b2": "b", "ab": "b"])
        // It need not hang always.
        #expect(parts(hung: ["b2"]) == ["b2": "b"])
        #expect(parts(hung: ["ac"]) == ["ac": "c"])
    }

    @Test("is named where each test that hangs needs it, and none that needs it comes to its end")
    func alone() {
        let all: Set<String> = ["a1", "a2", "ab", "ac"]
        #expect(Set(parts(hung: all).values) == ["a"])
        // Its code may call the part that has no test without it.
        #expect(parts(hung: all, mentioned: ["c"]) == [:])
        #expect(Set(parts(hung: all, mentioned: ["b"]).values) == ["a"])
        // A test may call what it does not need.
        #expect(parts(hung: ["a1", "ac"]) == [:])
    }

    @Test("is not named where it may be another one")
    func unknown() {
        #expect(parts(hung: ["a1", "b1"]) == [:])
        #expect(parts(hung: ["a1", "a2", "b1", "b2", "ab", "ac"]) == [:])
        #expect(parts(hung: ["ac"], failed: ["a1"]) == [:])
        #expect(parts(hung: ["b1"], failed: ["a1"]) == [:])
        #expect(parts(hung: ["ab"]) == [:])
    }

    @Test("is in the verdict, with words")
    func verdict() throws {
        let submission = Submission(kata: Self.kata, file: FixtureWorkbook.folder.url, displayPath: "K.swift")
        func results(_ hung: TestResult) -> [String: TestResult] {
            var results = Dictionary(
                uniqueKeysWithValues: Self.kata.tests.map { ($0.id, TestResult(outcome: .passed)) })
            results["b1"] = hung
            results["b2"] = TestResult(outcome: .notRun, messages: [LocalizableMessage(.notRunAfterHang)], isHang: true)
            return results
        }
        func told(_ hung: TestResult, parts: Bool = true) throws -> [TestVerdict] {
            var submission = submission
            if !parts { for place in submission.kata.tests.indices { submission.kata.tests[place].parts = [] } }
            return try Array(Verdict(submission, .success(SuiteResult(tests: results(hung)))).tests[2...3])
        }
        let found = LocalizableMessage(.mismatch, "1", "2")
        let hung = TestResult(outcome: .failed, messages: [found], isHang: true)
        let named = try told(hung)
        #expect(named.map(\.stillRunning) == ["b", "b"])
        #expect(
            named.map(\.messages) == [
                [LocalizableMessage(.partStillRunning, "b"), found], [LocalizableMessage(.notRunAfterHangOf, "b")],
            ])
        let unnamed = try told(hung, parts: false)
        #expect(unnamed.map(\.stillRunning) == [nil, nil])
        #expect(
            unnamed.map(\.messages) == [
                [LocalizableMessage(.answerStillRunning), found], [LocalizableMessage(.notRunAfterHang)],
            ])
        let waiting = LocalizableMessage(.stillRunning)
        let waited = try told(TestResult(outcome: .failed, messages: [waiting], isHang: true), parts: false)
        #expect(waited[0].messages == [waiting])
        // Where everything sleeps, nothing runs.
        let asleep = LocalizableMessage(.deadline)
        let deadlock = try told(TestResult(outcome: .timedOut, messages: [asleep], isHang: true))
        #expect(deadlock[0].messages == [asleep] && deadlock[0].stillRunning == nil)
    }
}
