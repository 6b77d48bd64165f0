import Foundation
import Testing
import Workbook

/// The README's recipes, run as they stand in the folders that the platforms have.
@Suite(
    "The README's recipe for",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/bwrap"), "bubblewrap is not installed"))
struct RecipeTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func recipe(_ text: String) async throws -> String {
        let process = Process()
        process.executableURL = Self.repository.appendingPathComponent(".ci/recipe")
        process.arguments = [text]
        let file = scratch("recipe")
        try Data().write(to: file)
        process.standardOutput = try FileHandle(forWritingTo: file)
        try await Program.finish(process)
        try #require(process.terminationStatus == 0)
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// A workbook with a built grader in it, as far as one can tell.
    private func workbook(_ kata: String) throws -> URL {
        let workbook = try SmallWorkbook(at: scratch("workbook"), katas: [kata])
        let build = workbook.folder.appendingPathComponent(".build")
        try FileManager.default.createDirectory(at: build, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: build.appendingPathComponent("debug"), withDestinationURL: try Program.buildFolder)
        return workbook.folder
    }

    private func submit(_ source: String, as path: String) throws {
        let file = scratch(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(source.utf8).write(to: file)
    }

    /// Programs that a platform runs to make itself ready, and that have done here what they do.
    private func programs(_ scripts: [String: String]) throws {
        for (name, body) in scripts {
            try submit("#!/bin/sh\n\(body)\n", as: "bin/\(name)")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: scratch("bin/\(name)").path)
        }
    }

    /// Runs a script in this machine's own root, with a platform's folders in it.
    private func run(
        _ script: String, _ arguments: [String] = [], folders: [String: String], in folder: String = "/",
        environment: [String: String] = [:]
    ) async throws -> Program.Run {
        try Data(script.utf8).write(to: scratch("script"))
        var command = ["/usr/bin/bwrap"]
        let top = Set(folders.keys.compactMap { $0.split(separator: "/").first.map(String.init) })
        func show(_ place: String) throws {
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place) {
                command += ["--symlink", target, place]
            } else {
                command += ["--dev-bind", place, place]
            }
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: "/").sorted() {
            guard top.contains(name) else {
                try show("/\(name)")
                continue
            }
            for inner in (try? FileManager.default.contentsOfDirectory(atPath: "/\(name)")) ?? []
            where folders["/\(name)/\(inner)"] == nil { try show("/\(name)/\(inner)") }
        }
        for (inside, outside) in folders {
            let place = scratch(outside)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            command += ["--bind", place.path, inside]
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let settings = environment.merging(["PATH": "\(scratch("bin").path):\(path)"]) { $1 }
        for (name, value) in settings { command += ["--setenv", name, value] }
        command += ["--chdir", folder, "--", "/bin/bash", scratch("script").path] + arguments
        return try await Program.run(command)
    }

    private func json(_ path: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: scratch(path))) as? [String: Any])
    }

    @Test("Gradescope grades what is in /autograder/submission, and writes /autograder/results/results.json")
    func gradescope() async throws {
        _ = try workbook("Scope")
        try submit(SmallWorkbook.passing, as: "submission/Sources/Scope.swift")
        let run = try await run(
            recipe("run_autograder"),
            folders: [
                "/autograder/workbook": "workbook", "/autograder/submission": "submission",
                "/autograder/results": "results",
            ])
        #expect(run.code == 0, "\(run.text)")
        let result = try json("results/results.json")
        #expect(result["score"] as? Int == 1)
        // What Gradescope knows, and nothing else: it refuses a file with words of other kinds.
        #expect(
            Set(result.keys).isSubset(of: [
                "score", "execution_time", "output", "output_format", "test_output_format", "test_name_format",
                "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard",
            ]))
        let tests = try #require(result["tests"] as? [[String: Any]])
        #expect(tests.map { $0["status"] as? String } == ["passed", "failed"])
        #expect(tests.map { $0["max_score"] as? Int } == [1, 2])
        for test in tests {
            #expect(
                Set(test.keys).isSubset(of: [
                    "score", "max_score", "status", "name", "name_format", "number", "output", "output_format", "tags",
                    "visibility", "extra_data",
                ]))
            #expect(["hidden", "after_due_date", "after_published", "visible"].contains(test["visibility"] as? String))
        }
    }

    @Test("Gradescope's setup.sh leaves a workbook and a grader where run_autograder looks for them")
    func gradescopeSetup() async throws {
        let original = try workbook("Setup")
        // What it installs is there already, and what it builds too.
        try programs([
            "apt-get": "exit 0",
            "swift": "[ \"$*\" = 'build --product grader' ] && cp -r '\(original.path)/.build' .build",
        ])
        let git = "git -c user.name=x -c user.email=x@example.org -C '\(original.path)'"
        let made = try await run(
            "set -e\n\(git) init -q\n\(git) add Exercises Solutions Tests\n\(git) commit -qm x", folders: [:])
        #expect(made.code == 0, "\(made.text)")
        try FileManager.default.createDirectory(at: scratch("autograder"), withIntermediateDirectories: true)
        let run = try await run(
            recipe("setup.sh"), folders: ["/autograder": "autograder"],
            environment: ["WORKBOOK": "file://\(original.path)"])
        #expect(run.code == 0, "\(run.text)")
        try submit(SmallWorkbook.answer, as: "autograder/submission/Setup.swift")
        try FileManager.default.createDirectory(at: scratch("autograder/results"), withIntermediateDirectories: true)
        let graded = try await self.run(recipe("run_autograder"), folders: ["/autograder": "autograder"])
        #expect(graded.code == 0, "\(graded.text)")
        #expect(try json("autograder/results/results.json")["score"] as? Int == 3)
    }

    @Test("Exercism writes results.json of version 3, and ends well also where a test fails")
    func exercism() async throws {
        _ = try workbook("Slug")
        try submit(SmallWorkbook.passing, as: "solution/Sources/Slug/Slug.swift")
        try submit("{}", as: "solution/.meta/config.json")
        let run = try await run(
            recipe("--format exercism >"), ["slug", "/solution/", "/output/"],
            folders: ["/opt/workbook": "workbook", "/solution": "solution", "/output": "output"])
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
        try submit("public func greeting() -> { }", as: "solution/Sources/Slug/Slug.swift")
        let broken = try await self.run(
            recipe("--format exercism >"), ["slug", "/solution/", "/output/"],
            folders: ["/opt/workbook": "workbook", "/solution": "solution", "/output": "output"])
        #expect(broken.code == 0, "\(broken.text)")
        #expect(try json("output/results.json")["status"] as? String == "error")
        #expect(try json("output/results.json")["message"] as? String != nil)
    }

    @Test("GitHub Actions grades the learner's repository beside the workbook, and fails where a kata does")
    func githubActions() async throws {
        _ = try workbook("Action")
        try programs(["sudo": "exec \"$@\"", "apt-get": "exit 0", "sysctl": "exit 0", "swift": "exit 0"])
        try submit(SmallWorkbook.answer, as: "submission/Exercises/Action/Action.swift")
        try submit("// swift-tools-version: 6.2", as: "submission/Package.swift")
        try submit(SmallWorkbook.stub, as: "submission/.git/Action.swift")
        let steps = try await recipe("actions/checkout").split(separator: "\n")
        let commands = steps.filter { $0.hasPrefix("- run: ") }.map { $0.dropFirst(7) }.joined(separator: "\n")
        #expect(steps.filter { $0.contains("{ path: ") }.count == 2)
        let script = "set -e\n" + commands
        let run = try await run(script, folders: [:], in: scratch.url.path)
        #expect(run.code == 0, "\(run.text)")
        let report = try String(contentsOf: scratch("junit.xml"), encoding: .utf8)
        #expect(report.hasPrefix("<testsuites name=\"submission\" tests=\"2\" failures=\"0\""))
        try submit(SmallWorkbook.stub, as: "submission/Exercises/Action/Action.swift")
        #expect(try await self.run(script, folders: [:], in: scratch.url.path).code == 1)
    }
}
