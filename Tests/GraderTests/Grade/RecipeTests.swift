import Foundation
import TestSupport
import Testing
import Workbook

/// Runs the recipes of the page for instructors unchanged, with this test's folders in place of the platform's folders.
@Suite("The instructors' recipe for", .grades)
struct RecipeTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func recipe(_ text: String) async throws -> String {
        let run = try await Program.run([Self.repository.appendingPathComponent(".ci/recipe").path, text])
        try #require(run.code == 0, "\(run.text)")
        return run.output
    }

    /// A workbook that looks as if the grader was built in it.
    private func workbook(_ path: String) throws -> SmallWorkbook {
        let workbook = try SmallWorkbook(at: scratch(path))
        let build = workbook.folder.appendingPathComponent(".build")
        try FileManager.default.createDirectory(at: build, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: build.appendingPathComponent("debug"), withDestinationURL: try Program.buildFolder)
        return workbook
    }

    private func submit(_ source: String, as path: String) throws {
        let file = scratch(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(source.utf8).write(to: file)
    }

    /// Stand-ins for the programs that a platform's setup runs.
    private func addPrograms(_ scripts: [String: String]) async throws {
        for (name, body) in scripts { try await scratch.addProgram("bin/\(name)", body) }
    }

    /// Runs a script in which each of a platform's folders is replaced by a folder of that name in this test's folder.
    private func run(
        _ script: String, _ arguments: [String] = [], folders: [String] = [], environment: [String: String] = [:]
    ) async throws -> Program.Run {
        var script = script
        for folder in folders { script = script.replacing(folder, with: scratch(folder).path) }
        if !Program.sandboxOption.isEmpty {
            script = script.replacing("grader check", with: "grader check --no-sandbox")
        }
        try Data("cd '\(scratch.url.path)'\n\(script)".utf8).write(to: scratch("script"))
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let settings = environment.merging(["PATH": "\(scratch("bin").path):\(path)"]) { $1 }
        let arguments = arguments.map { $0.hasPrefix("/") ? scratch($0).path : $0 }
        return try await Program.run(["/bin/bash", scratch("script").path] + arguments, environment: settings)
    }

    private func json(_ path: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: scratch(path))) as? [String: Any])
    }

    @Test("Gradescope grades what is in /autograder/submission, and writes /autograder/results/results.json")
    func gradescope() async throws {
        _ = try workbook("autograder/workbook")
        try submit(SmallWorkbook.passing, as: "autograder/submission/Sources/Greeting.swift")
        try submit("", as: "autograder/results/stdout")
        let run = try await run(recipe("run_autograder"), folders: ["/autograder"])
        #expect(run.code == 0, "\(run.text)")
        let result = try json("autograder/results/results.json")
        #expect(result["score"] as? Int == 60)
        // Only keys and values that Gradescope knows: it refuses a file with others.
        #expect(
            Set(result.keys).isSubset(of: [
                "score", "execution_time", "output", "output_format", "test_output_format", "test_name_format",
                "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard",
            ]))
        let tests = try #require(result["tests"] as? [[String: Any]])
        #expect(tests.map { $0["status"] as? String } == ["passed", "failed"])
        #expect(tests.map { $0["max_score"] as? Int } == [60, 40])
        for test in tests {
            #expect(
                Set(test.keys).isSubset(of: [
                    "score", "max_score", "status", "name", "name_format", "number", "output", "output_format", "tags",
                    "visibility", "extra_data",
                ]))
            #expect(["hidden", "after_due_date", "after_published", "visible"].contains(test["visibility"] as? String))
        }
    }

    @Test("Gradescope's setup.sh leaves a workbook and a grader where run_autograder looks for them", .needs(.git))
    func gradescopeSetup() async throws {
        let original = try workbook("original").folder
        // What it installs and what it builds is there already.
        let built = "'\(original.path)/.build' '\(original.path)/.grader'"
        try await addPrograms([
            "apt-get": "exit 0", "swift": "[ \"$*\" = 'build --product grader' ] && cp -r \(built) .",
        ])
        let git = "git -c user.name=x -c user.email=x@example.org -C '\(original.path)'"
        let made = try await run(
            "set -e\n\(git) init -q\n\(git) add Exercises Solutions Tests\n\(git) commit -qm x")
        #expect(made.code == 0, "\(made.text)")
        try FileManager.default.createDirectory(at: scratch("autograder"), withIntermediateDirectories: true)
        let run = try await run(
            recipe("setup.sh"), folders: ["/autograder"], environment: ["WORKBOOK": "file://\(original.path)"])
        #expect(run.code == 0, "\(run.text)")
        try submit(SmallWorkbook.answer, as: "autograder/submission/Greeting.swift")
        try FileManager.default.createDirectory(at: scratch("autograder/results"), withIntermediateDirectories: true)
        let graded = try await self.run(recipe("run_autograder"), folders: ["/autograder"])
        #expect(graded.code == 0, "\(graded.text)")
        #expect(try json("autograder/results/results.json")["score"] as? Int == 100)
    }

    @Test("Exercism writes results.json of version 3, and exits with 0 also if a test fails")
    func exercism() async throws {
        _ = try workbook("opt/workbook")
        try submit(SmallWorkbook.passing, as: "solution/Sources/Greeting/Greeting.swift")
        try submit("{}", as: "solution/.meta/config.json")
        try FileManager.default.createDirectory(at: scratch("output"), withIntermediateDirectories: true)
        let script = try await recipe("--format exercism >")
        let arguments = ["slug", "/solution/", "/output/"]
        let run = try await run(script, arguments, folders: ["/opt/workbook"])
        #expect(run.code == 0, "\(run.text)")
        let result = try json("output/results.json")
        #expect(result["version"] as? Int == 3)
        #expect(result["status"] as? String == "fail")
        let tests = try #require(result["tests"] as? [[String: Any]])
        #expect(tests.map { $0["status"] as? String } == ["pass", "fail"])
        for test in tests {
            #expect(test["name"] is String && test["test_code"] is String)
            #expect((test["output"] as? String)?.count ?? 0 <= 500)
            #expect((test["status"] as? String == "pass") == (test["message"] == nil))
        }
        try submit("public func greeting() -> { }", as: "solution/Sources/Greeting/Greeting.swift")
        let broken = try await self.run(script, arguments, folders: ["/opt/workbook"])
        #expect(broken.code == 0, "\(broken.text)")
        #expect(try json("output/results.json")["status"] as? String == "error")
        #expect(try json("output/results.json")["message"] as? String != nil)
    }

    @Test("GitHub Actions grades the learner's repository next to the workbook, and fails if a kata fails")
    func githubActions() async throws {
        _ = try workbook("workbook")
        try await addPrograms(["sudo": "exec \"$@\"", "apt-get": "exit 0", "sysctl": "exit 0", "swift": "exit 0"])
        try submit(SmallWorkbook.answer, as: "submission/Exercises/Greeting/Greeting.swift")
        try submit("// swift-tools-version: 6.2", as: "submission/Package.swift")
        try submit(SmallWorkbook.stub, as: "submission/.git/Greeting.swift")
        let steps = try await recipe("actions/checkout").split(separator: "\n")
        let commands = steps.filter { $0.hasPrefix("- run: ") }.map { $0.dropFirst(7) }.joined(separator: "\n")
        #expect(steps.filter { $0.contains("{ path: ") }.count == 2)
        let script = "set -e\n" + commands
        let run = try await run(script)
        #expect(run.code == 0, "\(run.text)")
        let report = try String(contentsOf: scratch("junit.xml"), encoding: .utf8)
        #expect(report.hasPrefix("<testsuites name=\"submission\" tests=\"2\" failures=\"0\""))
        try submit(SmallWorkbook.stub, as: "submission/Exercises/Greeting/Greeting.swift")
        #expect(try await self.run(script).code == 1)
    }
}
