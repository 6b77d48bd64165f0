import Foundation
import Reports
import TestSupport
import Testing
import Workbook

/// The program grades: compiler, suite, sandbox and all.
@Suite("An endless loop in one part of an answer", .grades)
struct HangTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func grader(_ workbook: SmallWorkbook, _ arguments: String...) async throws -> Program.Run {
        try await Program.run(
            arguments + ["--progress", scratch("progress.json").path], in: workbook.folder)
    }

    private func check(_ workbook: SmallWorkbook, _ options: [String] = []) async throws -> [CheckReport.TestReport] {
        let run = try await Program.run(
            ["check", "Greeting", "--json", "--no-cache"] + options, in: workbook.folder)
        let report = try JSONDecoder().decode(CheckReport.self, from: Data(run.output.utf8))
        return try #require(report.katas.first).tests
    }

    private func workbook(loopingIn part: String) throws -> SmallWorkbook {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try workbook.giveTwoParts()
        try workbook.learn("Greeting", SmallWorkbook.twoParts([part: "while true {}"]))
        return workbook
    }

    @Test("costs the tests of that part, and the verdict names it", arguments: ["greeting", "farewell"])
    func loop(part: String) async throws {
        let tests = try await check(workbook(loopingIn: part))
        for test in tests {
            let needsBoth = test.id == "GreetingTests/both()"
            guard test.id.contains(part) || needsBoth else {
                #expect(test.outcome == .passed && test.stillRunning == nil, "\(test)")
                continue
            }
            #expect(test.outcome != .passed && test.stillRunning == part, "\(test)")
            // The answer's code is running: it would be wrong that nothing is left to run.
            #expect(test.message?.contains("no code that could") == false, "\(test)")
        }
        let named = "The code of `\(part)` was still running."
        let notRun = "This test did not run: it needs `\(part)`, which never finished in other tests."
        let told = tests.filter { $0.outcome != .passed }.compactMap(\.message)
        #expect(told.count { $0.hasPrefix(named) } == 3)
        #expect(told.count { $0 == notRun } == 2)
    }

    @Test("is named by check and by hint")
    func named() async throws {
        let part = "greeting"
        let workbook = try workbook(loopingIn: part)
        let named = "The code of `\(part)` was still running."
        let text = try await grader(workbook, "check", "Greeting")
        #expect(text.output.contains(named) && !text.output.contains("no code that could"))
        let hint = try await grader(workbook, "hint", "Greeting")
        #expect(hint.output.contains(named) && hint.output.contains("Hint 1 of 3"))
        let json = try await grader(workbook, "hint", "Greeting", "--json").output
        #expect(try JSONDecoder().decode(HintReport.self, from: Data(json.utf8)).stillRunning == part)
    }

    @Test("that runs beside the test is reported as running, and no part is named where it may be either")
    func loopInBoth() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try workbook.giveTwoParts()
        let beside =
            "Task.detached { while true {} }; await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }"
        try workbook.learn("Greeting", SmallWorkbook.twoParts(["greeting": beside, "farewell": beside]))
        for test in try await check(workbook) {
            #expect(test.outcome != .passed && test.stillRunning == nil, "\(test)")
            let message = try #require(test.message)
            #expect(message.contains("running endlessly") || message.contains("never finished"), "\(test)")
        }
    }
}

extension SmallWorkbook {
    /// Two functions that return their own names, after what is written for them.
    fileprivate static func twoParts(_ bodies: [String: String]) -> String {
        ["greeting", "farewell"].map { name in
            "public func \(name)() async -> String {\n    \(bodies[name] ?? "")\n    return \"\(name)\"\n}\n"
        }.joined(separator: "\n")
    }

    /// Four tests of each part, and one of both, which comes first.
    fileprivate func giveTwoParts() throws {
        func test(_ id: String, _ framework: KataTest.Framework, _ parts: [String]) -> KataTest {
            KataTest(id: id, framework: framework, tier: .core, points: 1, hint: "greets", parts: parts)
        }
        let parts = ["greeting", "farewell"]
        let tests =
            [test("GreetingTests/both()", .testing, parts)]
            + parts.flatMap { part in
                (1...3).map { test("GreetingTests/\(part)\($0)()", .testing, [part]) }
                    + [test("GreetingXCTests/test_\(part)", .xctest, [part])]
            }
        let kata = Kata(kata: "Greeting", order: 1, phase: 1, interface: [], tests: tests)
        func body(_ part: String) -> String {
            "try await KataSupport.withDeadline { await \(part)() } == \"\(part)\""
        }
        let functions = parts.flatMap { part in
            (1...3).map { "    @Test func \(part)\($0)() async throws { #expect(\(body(part))) }" }
        }
        let xctests = parts.map { part in
            "    func test_\(part)() async throws { let isRight = \(body(part)); XCTAssertTrue(isRight) }"
        }
        let files = [
            "Exercises/Greeting/kata.json": try JSONEncoder().encode(kata),
            "Exercises/Greeting/.shipped/Greeting.swift": Data(
                Self.twoParts(["greeting": "_ = 1", "farewell": "_ = 1"]).utf8),
            "Solutions/Greeting/Greeting.swift": Data(Self.twoParts([:]).utf8),
            "Tests/GreetingTests/GreetingTests.swift": Data(
                """
                import Greeting
                import KataSupport
                import Testing

                @Suite(.ownProcess) struct GreetingTests {
                    @Test func both() async throws {
                        #expect(\(body("greeting")))
                        #expect(\(body("farewell")))
                    }
                \(functions.joined(separator: "\n"))
                }

                """.utf8),
            "Tests/GreetingTests/GreetingXCTests.swift": Data(
                """
                import Greeting
                import KataSupport
                import XCTest

                final class GreetingXCTests: XCTestCase {
                \(xctests.joined(separator: "\n"))
                }

                """.utf8),
        ]
        for (path, data) in files { try data.write(to: folder.appendingPathComponent(path)) }
    }
}
