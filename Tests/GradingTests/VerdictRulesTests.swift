import Foundation
import Testing
import Workbook

@testable import Grading

@Suite("The rules that make a verdict")
struct VerdictRulesTests {
    static func submission(_ tests: (id: String, tier: KataTest.Tier)...) -> Submission {
        let tests = tests.map { KataTest(id: $0.id, framework: .testing, tier: $0.tier, points: 2, hint: "") }
        return Submission(
            kata: Kata(kata: "K", order: 1, phase: 1, interface: [], tests: tests),
            file: URL(fileURLWithPath: "/submission/K.swift"), displayPath: "Exercises/K/K.swift")
    }

    @Test(
        "The core tests decide whether a kata is passed, all tests decide whether it is mastered",
        arguments: [
            ([.passed, .passed, .passed], .mastered),
            ([.passed, .passed, .failed], .passed),
            ([.passed, .passed, .notRun], .passed),
            ([.passed, .passed, nil], .passed),
            ([.passed, .failed, .passed], .failed),
            ([.passed, .crashed, .passed], .failed),
            ([.passed, .timedOut, .passed], .failed),
            ([.passed, .notRun, .passed], .failed),
            ([.passed, nil, .passed], .failed),
            ([nil, nil, nil], .failed),
        ] as [([TestVerdict.Outcome?], Verdict.Outcome)])
    func outcome(found: [TestVerdict.Outcome?], expected: Verdict.Outcome) {
        let tests = Self.submission(("a", .core), ("b", .core), ("c", .robust)).kata.tests
        var results: [String: TestResult] = [:]
        for (test, outcome) in zip(tests, found) { results[test.id] = outcome.map { TestResult(outcome: $0) } }
        #expect(Verdict.outcome(of: tests, results) == expected)
    }

    @Test("A kata without core tests is not passed by its other tests, and one without tests is never passed")
    func withoutCore() {
        let tests = Self.submission(("a", .robust), ("b", .robust)).kata.tests
        let passed = TestResult(outcome: .passed)
        #expect(Verdict.outcome(of: tests, ["a": passed]) == .failed)
        #expect(Verdict.outcome(of: tests, ["a": passed, "b": passed]) == .mastered)
        #expect(Verdict.outcome(of: [], [:]) == .failed)
    }

    @Test("A verdict is kept unless a busy machine may have caused it", arguments: LocalizableMessage.Key.allCases)
    func settled(key: LocalizableMessage.Key) throws {
        let machine: Set<LocalizableMessage.Key> = [
            .stillRunning, .stillRunningArrived, .stillRunningInCase, .answerStillRunning, .partStillRunning,
            .notRunAfterHang,
            .notRunAfterHangOf, .timedOut, .suiteTimedOut, .neverStarted, .compileTimedOut, .compileOutOfMemory,
            .readingTimedOut, .compilerCrashed, .outOfProcessorTime, .outOfMemory,
        ]
        let submission = Self.submission(("a", .core))
        let test = TestResult(
            outcome: .failed, messages: [LocalizableMessage(.mismatch, "1", "2"), LocalizableMessage(key)])
        let ran = try Verdict(submission, .success(SuiteResult(tests: ["a": test])))
        #expect(ran.isSettled == !machine.contains(key))
        var inParts = submission
        inParts.kata.tests[0].parts = ["part"]
        let unwritten = try Verdict(inParts, .success(SuiteResult(tests: ["a": test])), unwritten: ["part"])
        #expect(unwritten.isSettled == !machine.contains(key))
        let rejected = try Verdict(submission, .failure(.rejected(Rejection(LocalizableMessage(key)))))
        #expect(rejected.isSettled == !machine.contains(key))
    }

    @Test("A failure in a part that is not written yet says that, and has no finding")
    func unwritten() throws {
        var submission = Self.submission(("a", .core), ("b", .core), ("c", .core), ("d", .core))
        for place in 0..<3 { submission.kata.tests[place].parts = ["first", "second"] }
        submission.kata.tests[3].parts = ["first"]
        let found = LocalizableMessage(.mismatch, "1", "2")
        let failed = TestResult(outcome: .failed, messages: [found])
        let tests = ["a": failed, "b": TestResult(outcome: .passed), "d": failed]
        let verdict = try Verdict(submission, .success(SuiteResult(tests: tests)), unwritten: ["second"])
        #expect(verdict.tests.map(\.unwritten) == [["second"], nil, ["second"], nil])
        #expect(verdict.tests.map(\.messages) == [[LocalizableMessage(.partNotWritten, "second")], [], [], [found]])
    }

    @Test(
        "The end of the process is reported for a part that is not written, too",
        arguments: [LocalizableMessage.Key.crashed, .timedOut])
    func unwrittenEnd(key: LocalizableMessage.Key) throws {
        var submission = Self.submission(("a", .core))
        submission.kata.tests[0].parts = ["first"]
        let end = LocalizableMessage(key, "SIGKILL")
        let crashed = TestResult(outcome: .crashed, messages: [LocalizableMessage(.mismatch, "1", "2"), end])
        let verdict = try Verdict(submission, .success(SuiteResult(tests: ["a": crashed])), unwritten: ["first"])
        #expect(verdict.tests[0].messages == [LocalizableMessage(.partNotWritten, "first"), end])
    }

    @Test("A test earns all of its points or none")
    func points() throws {
        let submission = Self.submission(("a", .core), ("b", .robust), ("c", .robust))
        let tests = ["a": TestResult(outcome: .passed), "b": TestResult(outcome: .failed)]
        let verdict = try Verdict(submission, .success(SuiteResult(tests: tests)))
        #expect(verdict.tests.map(\.points) == [2, 0, 0])
        #expect(verdict.tests.map(\.outcome) == [.passed, .failed, .notRun])
        #expect((verdict.points, verdict.maxPoints) == (2, 6))
    }

    @Test("A rejection has the learner's own path")
    func rejected() throws {
        let missing = Rejection(LocalizableMessage(.fileMissing, "/submission/K.swift"), line: 0, column: 0)
        let verdict = try Verdict(Self.submission(("a", .core)), .failure(.rejected(missing)))
        #expect(verdict.outcome == .rejected)
        #expect(verdict.diagnostics.map(\.file) == ["Exercises/K/K.swift"])
        #expect(verdict.diagnostics.map(\.message) == [LocalizableMessage(.fileMissing, "Exercises/K/K.swift")])
    }

    @Test(
        "Compiler messages have the learner's own path, each one once, at most fifty, then the number of the others")
    func didNotCompile() throws {
        let text = (1...60).map { "K.swift:\($0):7: error: no\nlet x = y\n" }.joined()
        let messages = CompilerMessage.parse(
            Array(("K.swift:1:7: error: no\n\n" + text + "<unknown>:0: note: none\n").utf8))
        let verdict = try Verdict(Self.submission(("a", .core)), .failure(.didNotCompile(messages)))
        #expect(verdict.outcome == .didNotCompile)
        let shown = verdict.diagnostics.dropLast()
        #expect(shown.map(\.line) == Array(1...50))
        #expect(shown.allSatisfy { $0.file == "Exercises/K/K.swift" && $0.column == 7 })
        #expect(verdict.diagnostics.last?.message == LocalizableMessage(.diagnosticsCut, "10"))
        #expect(verdict.tests.map(\.outcome) == [.notRun])
    }

    @Test("A submission with missing declarations does not compile")
    func lacking() throws {
        let missing = Diagnostic(
            severity: .error, file: "f", line: 3, column: 1, message: LocalizableMessage(.suiteExpects, "func f()"))
        let verdict = try Verdict(Self.submission(("a", .core)), .failure(.lacksDeclarations([missing])))
        #expect(verdict.outcome == .didNotCompile)
        #expect(verdict.diagnostics == [missing])
    }

    @Test("An error of the grader is not a verdict")
    func trouble() {
        let error = GradingError(.programFailed, "ld.lld", "no")
        #expect(throws: error) { try Verdict(Self.submission(("a", .core)), .failure(.trouble(error))) }
    }

    @Test("Output cannot control a terminal")
    func output() throws {
        let printed = TestResult(outcome: .passed, output: Array("a\tb\n\u{1B}[31mred\u{7}\u{9B}".utf8))
        let verdict = try Verdict(Self.submission(("a", .core)), .success(SuiteResult(tests: ["a": printed])))
        #expect(verdict.tests.map(\.output) == ["a\tb\n[31mred"])
    }
}

@Suite("How the end of the compiler is judged")
struct CompilerOutputTests {
    @Test(
        "The end of the compiler is named by its exit status and its messages",
        arguments: [
            (.exited(0), "K.swift:1:1: warning: w", .succeeded),
            (.exited(1), "K.swift:1:1: error: e", .foundErrors),
            (.stopped, "", .timedOut),
            (.exited(152), "", .timedOut),
            (.exited(134), "LLVM ERROR: out of memory\nstack", .outOfMemory),
            (.signaled(6), "std::bad_alloc", .outOfMemory),
            (.exited(139), "one\ntwo", .crashed("two")),
            (.signaled(11), "", .crashed("SIGSEGV")),
        ] as [(ChildProcess.Ending, String, CompilerOutput.Ending)])
    func ending(ended: ChildProcess.Ending, text: String, expected: CompilerOutput.Ending) {
        #expect(CompilerOutput(ended, text).ending == expected)
    }

    @Test("A source that stops or crashes the compiler is rejected, and a source with errors is not")
    func rejection() {
        func key(_ ended: ChildProcess.Ending) -> LocalizableMessage.Key? {
            CompilerOutput(ended, "").rejection(Limits())?.message.key
        }
        #expect(key(.exited(0)) == nil)
        #expect(key(.exited(1)) == nil)
        #expect(key(.stopped) == .compileTimedOut)
        #expect(key(.signaled(11)) == .compilerCrashed)
    }
}
