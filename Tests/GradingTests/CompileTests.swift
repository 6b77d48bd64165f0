import Foundation
import TestSupport
import Testing
import Workbook

@testable import Grading

@Suite("The compiler's messages reach the learner unchanged", .grades)
struct CompileTests {
    @Test("An error has the learner's path, line and column, and nothing of the grader's")
    func error() async throws {
        let verdict = try await FixtureWorkbook.grade("import Foundation\n\nlet x: Int = \"text\"\n")
        #expect(verdict.outcome == .didNotCompile)
        let first = try #require(verdict.diagnostics.first)
        #expect(first.severity == .error && first.line == 3 && first.column == 14)
        #expect(first.file == "Exercises/Tally/Tally.swift")
        #expect(
            first.message
                == LocalizableMessage(.verbatim, "cannot convert value of type 'String' to specified type 'Int'"))
        #expect(verdict.diagnostics.allSatisfy { !$0.message.arguments.joined().contains("evolution") })
        #expect(verdict.tests.allSatisfy { $0.outcome == .notRun && $0.points == 0 })
    }

    @Test("A warning is reported with a verdict, and warnings about the grader's own flags are not")
    func warning() async throws {
        let verdict = try await FixtureWorkbook.grade(
            "import Dispatch\n" + FixtureWorkbook.answer() + "\nfunc f() { let unused = 1 }\n")
        #expect(verdict.outcome == .mastered)
        #expect(verdict.diagnostics.map(\.severity) == [.warning])
        #expect(verdict.diagnostics.first?.message.arguments.first?.contains("'unused' was never used") == true)
    }

    @Test("A missing declaration is reported as the suite expects it, at the line of the most similar declaration")
    func expectation() async throws {
        let text = try FixtureWorkbook.answer().replacingOccurrences(
            of: "public func reset() async -> Int", with: "public func reset(to other: String) async -> Int")
        let verdict = try await FixtureWorkbook.grade(text)
        #expect(verdict.outcome == .didNotCompile)
        #expect(
            verdict.diagnostics.map(\.message) == [
                LocalizableMessage(.suiteExpects, "public func reset() async -> Int")
            ])
        #expect(verdict.diagnostics.map(\.line) == [10])
        #expect(verdict.diagnostics.map(\.column) == [5])
    }

    @Test("A declaration that is there but not public is named as that, at its line")
    func notPublic() async throws {
        let text = try FixtureWorkbook.answer().replacingOccurrences(
            of: "public func reset() async -> Int", with: "func reset() async -> Int")
        let verdict = try await FixtureWorkbook.grade(text)
        #expect(verdict.outcome == .didNotCompile)
        #expect(verdict.diagnostics.map(\.message) == [LocalizableMessage(.notPublic, "reset")])
        #expect(verdict.diagnostics.map(\.line) == [10])
    }

    @Test("The shipped stub has the outcome notStarted")
    func stub() async throws {
        let stub = try Data(contentsOf: FixtureWorkbook.folder.shippedStub("Tally"))
        let verdict = try await FixtureWorkbook.grade(stub)
        #expect(verdict.outcome == .notStarted)
        #expect(verdict.tests.count == 6)
    }

    @Test("A rejection names what was refused, and where")
    func rejection() async throws {
        let verdict = try await FixtureWorkbook.grade(
            FixtureWorkbook.answer() + "\n  @_silgen_name(\"x\") func x()\n")
        #expect(verdict.outcome == .rejected)
        let line = try FixtureWorkbook.answer().split(separator: "\n", omittingEmptySubsequences: false).count + 1
        #expect(verdict.diagnostics.map { "\($0.line):\($0.column)" } == ["\(line):3"])
        #expect(verdict.diagnostics.first?.message == LocalizableMessage(.rejectedAttribute, "@_silgen_name"))
    }

    @Test("Without a sandbox, a plain process with limits gives the same verdict")
    func plain() async throws {
        var options = FixtureWorkbook.options()
        options.sandbox = .none
        let verdict = try await FixtureWorkbook.grade(FixtureWorkbook.answer(), options: options)
        #expect(verdict.outcome == .mastered, "\(verdict.summary)")
    }

    @Test("If a sandbox is required and there is none, a message says so")
    func noSandbox() throws {
        #expect(throws: GradingError(.noSandbox, "bwrap", "/nowhere")) {
            try Sandbox.probe(environment: ["PATH": "/nowhere"])
        }
    }

    @Test("If there is no compiler, a message says so")
    func noCompiler() throws {
        #expect(throws: GradingError(.noCompiler, "/nowhere")) {
            try Toolchain.locate(environment: ["PATH": "/nowhere"])
        }
    }
}
