import Foundation
import TestSupport
import Testing
import Workbook

@testable import Grading

@Suite("A crash, a hang or a failure in one test affects only that test", .grades)
struct IsolationTests {
    /// The model answer with another body of `reset`, which one XCTest calls.
    static func grade(reset: String, limits: (inout Limits) -> Void = { _ in }) async throws -> Verdict {
        let answer = try FixtureWorkbook.answer().replacingOccurrences(
            of: "        defer { total = 0 }\n        return total", with: reset)
        var options = FixtureWorkbook.options()
        limits(&options.limits)
        return try await FixtureWorkbook.grade("import Foundation\n" + answer, options: options)
    }

    static func expectOnlyResetIsHurt(
        _ verdict: Verdict, _ outcome: TestVerdict.Outcome, _ keys: [LocalizableMessage.Key],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for test in verdict.tests {
            if test.id == "TallyXCTests/testReset" {
                #expect(test.outcome == outcome, "\(verdict.summary)", sourceLocation: sourceLocation)
                #expect(test.messages.map(\.key) == keys, "\(verdict.summary)", sourceLocation: sourceLocation)
            } else {
                #expect(test.outcome == .passed, "\(verdict.summary)", sourceLocation: sourceLocation)
            }
        }
        #expect(verdict.outcome == .passed, sourceLocation: sourceLocation)
        // Three robust tests share forty points.
        #expect(verdict.points == 87, sourceLocation: sourceLocation)
    }

    @Test("A fatalError is reported with its message, file and line")
    func fatalError() async throws {
        let verdict = try await Self.grade(reset: #"        fatalError("all is lost")"#)
        Self.expectOnlyResetIsHurt(verdict, .crashed, [.fatalError])
        #expect(verdict.tests.last?.messages.first?.arguments == ["all is lost (Tally/Tally.swift:12)"])
        // It is reported once: what Swift printed is not the learner's output.
        #expect(verdict.tests.last?.output == "")
    }

    @Test("A trap without a message is reported by its signal")
    func trap() async throws {
        let verdict = try await Self.grade(reset: "        var big = Int.max; big += total; return big")
        Self.expectOnlyResetIsHurt(verdict, .crashed, [.crashed])
    }

    @Test("A stack overflow is reported as a stack overflow")
    func stackOverflow() async throws {
        let verdict = try await Self.grade(
            reset: "        func deep(_ n: Int) -> Int { n &+ deep(n &+ 1) &* 3 }\n        return deep(1)")
        Self.expectOnlyResetIsHurt(verdict, .crashed, [.stackOverflow])
    }

    @Test("A continuation that is resumed twice is reported, with the function that created it")
    func resumedTwice() async throws {
        let verdict = try await Self.grade(
            reset: "        await withCheckedContinuation { $0.resume(); $0.resume() }\n        return 0")
        Self.expectOnlyResetIsHurt(verdict, .crashed, [.resumedTwice])
        #expect(verdict.tests.last?.messages.first?.arguments == ["reset()"])
    }

    @Test("A continuation that is never resumed is reported, and the test ends at the limit")
    func leaked() async throws {
        let verdict = try await Self.grade(
            reset:
                "        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }\n        return 0"
        ) { $0.testSeconds = 2 }
        Self.expectOnlyResetIsHurt(verdict, .timedOut, [.continuationLeaked, .timedOut])
        #expect(verdict.tests.last?.messages.first?.arguments == ["reset()"])
    }

    @Test("An endless loop is stopped at the test's limit, and the verdict says so")
    func endlessLoop() async throws {
        let verdict = try await Self.grade(reset: "        while true {}") { $0.testSeconds = 2 }
        Self.expectOnlyResetIsHurt(verdict, .timedOut, [.timedOut])
        #expect(verdict.tests.last?.messages.first?.arguments == ["2"])
    }

    @Test("Memory beyond the limit is reported as too much memory")
    func memory() async throws {
        let verdict = try await Self.grade(reset: "        return [UInt8](repeating: 1, count: 1 << 45).count")
        Self.expectOnlyResetIsHurt(verdict, .crashed, [.outOfMemory])
    }

    @Test("A wrong result fails its test with the expected and the actual value")
    func wrong() async throws {
        let verdict = try await Self.grade(reset: "        return total")
        #expect(verdict.outcome == .passed)
        let test = try #require(verdict.tests.last)
        #expect(test.outcome == .failed)
        #expect(test.messages.first?.arguments.first?.contains("(\"7\") is not equal to (\"0\")") == true)
    }

    @Test("The output of a test belongs to that test, and is cut in the middle at the limit")
    func output() async throws {
        let verdict = try await Self.grade(
            reset: """
                        print("begin"); for _ in 0..<1000 { print("0123456789") }; print("end")
                        defer { total = 0 }; return total
                """
        ) { $0.outputBytes = 1000 }
        #expect(verdict.outcome == .mastered, "\(verdict.summary)")
        let test = try #require(verdict.tests.last)
        #expect(test.output.hasPrefix("begin\n0123456789\n"))
        #expect(test.output.utf8.count == 1000)
        #expect(test.output.hasSuffix("\n0123456789\nend\n"))
        #expect(test.outputCut == 6 + 11 * 1000 + 4 - 1000)
        #expect(verdict.tests.dropLast().allSatisfy { $0.output.isEmpty })
    }

    @Test("The seed decides the suite's random values, and nothing else")
    func seed() async throws {
        let stub = try String(contentsOf: FixtureWorkbook.folder.shippedStub("Tally"), encoding: .utf8) + "\n"
        func expected(_ seed: UInt64) async throws -> String? {
            var options = FixtureWorkbook.options()
            options.seed = seed
            let verdict = try await FixtureWorkbook.grade(stub, options: options)
            return verdict.tests.first { $0.id == "TallyTests/adds()" }?.messages.first?.arguments.first
        }
        let first = try await expected(1)
        #expect(first != nil)
        #expect(try await expected(1) == first)
        #expect(try await expected(2) != first)
    }

    @Test(
        "A crash is reported with the runtime's last message, without addresses",
        arguments: [
            (4, "K/K.swift:3: Precondition failed: not now\n", "Precondition failed: not now (K/K.swift:3)"),
            (4, "K/K.swift:3: Precondition failed\n", "Precondition failed (K/K.swift:3)"),
            (4, "K/K.swift:3: Assertion failed: never\n", "Assertion failed: never (K/K.swift:3)"),
            (4, "Swift/Array.swift:692: Fatal error: Index out of range\n", "Index out of range"),
            (4, "K/K.swift:3: Fatal error: flags 0x1f\n", "flags 0x1f (K/K.swift:3)"),
            (
                6, "Fatal error: Attempted to read an unowned reference but object 0x7f00 was already destroyed\n",
                "Attempted to read an unowned reference but object was already destroyed"
            ),
            (
                6, "Could not cast value of type 'A' (0x7f00) to 'B' (0x7f01).\n",
                "Could not cast value of type 'A' to 'B'."
            ),
            (
                6, "Incorrect actor executor assumption; expected 'A' executor.\n",
                "Incorrect actor executor assumption; expected 'A' executor."
            ),
        ] as [(Int32, String, String)])
    func words(signal: Int32, said: String, told: String) {
        let message = RunReport.crash(signal: signal, output: Array(said.utf8), Limits())
        #expect(message == LocalizableMessage(.fatalError, told))
    }

    @Test("A stack overflow, an access to invalid memory, and a kill by the kernel are reported differently")
    func silent() {
        func told(_ signal: Int32, _ said: String = "", residentBytes: Int = 0) -> LocalizableMessage {
            RunReport.crash(signal: signal, output: Array(said.utf8), residentBytes: residentBytes, Limits())
        }
        #expect(told(11) == LocalizableMessage(.stackOverflow))
        #expect(told(11, "hello\n\(RunReport.strayAccess)\n") == LocalizableMessage(.crashed, "SIGSEGV"))
        #expect(told(9) == LocalizableMessage(.crashed, "SIGKILL"))
        #expect(told(9, residentBytes: 3 << 30).key == .outOfMemory)
    }

    @Test(
        "The line that the harness prints for an access to invalid memory is not shown as the learner's output",
        arguments: ["": "", "hello": "hello\n", "hello\n": "hello\n", "hello\n\n": "hello\n\n"])
    func outputOfACrash(printed: String, shown: String) {
        var report = RunReport(asked: ["test"])
        report.started = ["test"]
        report.tests["test"] = RunReport.Observed(output: Array("\(printed)\n\(RunReport.strayAccess)\n".utf8))
        report.ending = .signaled(SIGSEGV)
        #expect(String(decoding: report.result(ofCurrent: "test", Limits()).output, as: UTF8.self) == shown)
    }

    @Test(
        "Code that prints without end while a test waits is stopped, and never called a forgery",
        arguments: [
            #"print(String(repeating: "\u{0}", count: 100))"#, #"print(String(repeating: "x", count: 65_536))"#,
            #"lines += 1; print("still waiting", lines)"#,
        ])
    func flood(body: String) async throws {
        let verdict = try await Self.grade(
            reset: """
                        Thread.detachNewThread { var lines = 0; while lines >= 0 { \(body) } }
                        while true { print("waiting"); Thread.sleep(forTimeInterval: 0.01) }
                """
        ) { $0.testSeconds = 4 }
        #expect(verdict.outcome != .rejected, "\(verdict.summary)")
        #expect(verdict.tests.last?.outcome == .timedOut, "\(verdict.summary)")
    }
}
