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
    private func workbook(_ path: String, katas: [String] = ["Greeting"]) throws -> SmallWorkbook {
        let workbook = try SmallWorkbook(at: scratch(path), katas: katas)
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

    /// The katas of the page's assignment, and one that is not part of it.
    private static let katas = ["FirstValue", "AsyncMerge", "Debouncer", "Storage"]

    private func submitAssignment(_ folder: String) throws {
        try submit(SmallWorkbook.answer, as: "\(folder)/Sources/FirstValue.swift")
        try submit(SmallWorkbook.passing, as: "\(folder)/AsyncMerge.swift")
    }

    @Test(
        "Gradescope grades the assignment's katas in /autograder/submission, with its points and its late rule",
        arguments: [("2026-12-02T10:00:00.365935-08:00", 126), ("2026-12-03T22:00:00.365935Z", 112), (nil, 140)])
    func gradescope(created: String?, score: Int) async throws {
        _ = try workbook("autograder/workbook", katas: Self.katas)
        try submitAssignment("autograder/submission")
        try submit(await recipe(#""Debouncer": {"core""#), as: "autograder/source/policy.json")
        try submit("", as: "autograder/results/stdout")
        if let created {
            let metadata =
                #"{"id": 7, "created_at": "\#(created)", "assignment": {"due_date": "2030-01-01T00:00:00Z"}}"#
            try submit(metadata, as: "autograder/submission_metadata.json")
        }
        let run = try await run(recipe("run_autograder"), folders: ["/autograder"])
        #expect(run.code == 0, "\(run.text)")
        let result = try json("autograder/results/results.json")
        #expect(result["score"] as? Int == score)
        let output = try #require(result["output"] as? String)
        #expect(output.contains("Late by") == (created != nil), "\(output)")
        let unknown = "Due: 2026-12-01T23:59+01:00. Nothing says when this was submitted, so nothing was deducted."
        #expect(output.contains(unknown) == (created == nil), "\(output)")
        #expect(run.errors.contains(unknown) == (created == nil))
        // Only keys and values that Gradescope knows: it refuses a file with others.
        #expect(
            Set(result.keys).isSubset(of: [
                "score", "execution_time", "output", "output_format", "test_output_format", "test_name_format",
                "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard",
            ]))
        let tests = try #require(result["tests"] as? [[String: Any]])
        #expect(tests.map { $0["status"] as? String } == ["passed", "passed", "passed", "failed", "failed", "failed"])
        // In the workbook's order; together they are the assignment's maximum.
        #expect(tests.map { $0["max_score"] as? Int } == [60, 40, 40, 20, 30, 20])
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
        let original = try workbook("original", katas: Self.katas).folder
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
        try submitAssignment("autograder/submission")
        try submit(await recipe(#""Debouncer": {"core""#), as: "autograder/source/policy.json")
        try FileManager.default.createDirectory(at: scratch("autograder/results"), withIntermediateDirectories: true)
        let graded = try await self.run(recipe("run_autograder"), folders: ["/autograder"])
        #expect(graded.code == 0, "\(graded.text)")
        #expect(try json("autograder/results/results.json")["score"] as? Int == 140)
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

    @Test("GitHub Actions grades the assignment's katas next to the workbook, and fails if one of them fails")
    func githubActions() async throws {
        _ = try workbook("workbook", katas: Self.katas)
        try submit(await recipe(#""Debouncer": {"core""#), as: "workbook/policy.json")
        try await addPrograms(["sudo": "exec \"$@\"", "apt-get": "exit 0", "sysctl": "exit 0", "swift": "exit 0"])
        for kata in Self.katas.prefix(3) {
            try submit(SmallWorkbook.answer, as: "submission/Exercises/\(kata)/\(kata).swift")
        }
        try submit("// swift-tools-version: 6.2", as: "submission/Package.swift")
        try submit(SmallWorkbook.stub, as: "submission/.git/FirstValue.swift")
        let recipe = try await recipe("actions/checkout")
        #expect(recipe.ranges(of: "with: { path: ").count == 2)
        // What GitHub reads as YAML: a folded text is one line.
        let steps = recipe.replacing("run: >-\n", with: "run:").replacing(/\n {4}/, with: " ").split(separator: "\n")
        let commands = steps.filter { $0.hasPrefix("- run:") }.map { $0.dropFirst(6) }.joined(separator: "\n")
        let script = "set -e\n" + commands
        let run = try await run(script)
        #expect(run.code == 0, "\(run.text)")
        let report = try String(contentsOf: scratch("junit.xml"), encoding: .utf8)
        // The submission itself is a test, too: it says that the deadline was not applied.
        #expect(report.contains("\n<testsuites name=\"submission\" tests=\"7\" failures=\"0\""), "\(report)")
        #expect(report.contains("210/210 points&#10;Due: 2026-12-01T23:59+01:00. Nothing says when"), "\(report)")
        try submit(SmallWorkbook.stub, as: "submission/Exercises/Debouncer/Debouncer.swift")
        #expect(try await self.run(script).code == 1)
    }
}
