import Foundation
import Grading
import Synchronization
import Workbook

/// How fast an edit becomes a verdict, as ratios of two things that one run has measured on one machine.
///
///     swift run grading-benchmark [--rounds N] [--without-swift-test]
@main
struct GradingBenchmark {
    /// The package that is measured, a copy of its katas that may be changed, and the command.
    let package: WorkbookFolder
    let workbook: WorkbookFolder
    let grader: URL
    let rounds: Int

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard let package = WorkbookFolder(containing: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
        else {
            print("Run this in the workbook's folder: no folder with Exercises/ was found at or above this one.")
            exit(2)
        }
        let grader = URL(fileURLWithPath: arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("grader")
        guard FileManager.default.isExecutableFile(atPath: grader.path) else {
            print("Expected the grader at \(grader.path). Build it first: swift build --product grader")
            exit(2)
        }
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("benchmark-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        for folder in ["Exercises", "Solutions", "Tests"] {
            try FileManager.default.copyItem(
                at: package.url.appendingPathComponent(folder), to: copy.appendingPathComponent(folder))
        }
        let index = arguments.firstIndex(of: "--rounds")
        let rounds = index.flatMap { arguments.indices.contains($0 + 1) ? Int(arguments[$0 + 1]) : nil } ?? 9
        let benchmark = GradingBenchmark(
            package: package, workbook: WorkbookFolder(copy), grader: grader, rounds: max(1, rounds))
        do {
            try await benchmark.run(withSwiftTest: !arguments.contains("--without-swift-test"))
        } catch let failure as Failure {
            print(failure)
            exit(1)
        }
    }

    func run(withSwiftTest: Bool) async throws {
        let katas = try workbook.katas()
        for kata in katas { try solve(kata.kata) }
        print("Preparing: every suite is compiled once.")
        try check(katas.map(\.kata))

        var checks: [Double] = []
        var compiles: [Double] = []
        var cached: [Double] = []
        for round in 0..<rounds {
            try change("FirstValue", round)
            checks.append(try seconds { try check(["FirstValue"]) })
            compiles.append(try seconds { try compile("FirstValue") })
            cached.append(try seconds { try check(["FirstValue"]) })
        }
        let checked = median(checks)
        tell("swiftc -c FirstValue.swift", median(compiles))
        tell("grader check FirstValue, body changed", checked)
        tell("grader check FirstValue, unchanged", median(cached))
        ratio("check against swiftc -c (at most 2.5)", checked / median(compiles))

        if withSwiftTest {
            let tests = try swiftTest()
            tell("swift test --filter FirstValueTests, the same change", tests)
            ratio("check against swift test (at most 0.25)", checked / tests)
        }

        var alone: [Double] = []
        var together: [Double] = []
        for round in 0..<max(3, rounds / 2) {
            for kata in katas { try change(kata.kata, 1000 + round) }
            alone.append(try katas.reduce(0) { sum, kata in sum + (try seconds { try check([kata.kata]) }) })
            for kata in katas { try change(kata.kata, 2000 + round) }
            together.append(try seconds { try check(katas.map(\.kata)) })
        }
        tell("\(katas.count) changed katas, one command each", median(alone))
        tell("\(katas.count) changed katas, one command", median(together))
        ratio(
            "all at once against one by one, on \(ProcessInfo.processInfo.activeProcessorCount) cores",
            median(together) / median(alone))

        for (what, edit) in [("unchanged file", Edit.none), ("changed body", .body), ("changed signature", .signature)]
        {
            let steps = try await steps(after: edit)
            print("\(what): \(steps.isEmpty ? "nothing is started" : steps.map(\.rawValue).joined(separator: ", "))")
        }
    }

    enum Edit { case none, body, signature }

    /// What the engine starts after an edit, by its own account.
    func steps(after edit: Edit) async throws -> [TraceEvent.Step] {
        let steps = Mutex<[TraceEvent.Step]>([])
        var options = SubmissionGrader.Options()
        options.trace = { event in steps.withLock { $0.append(event.step) } }
        let grader = try SubmissionGrader(workbook: workbook, options: options)
        guard let kata = try workbook.katas().first(where: { $0.kata == "FirstValue" }) else { return [] }
        let submission = Submission(
            kata: kata, file: workbook.learnerFile("FirstValue"), displayPath: "Exercises/FirstValue/FirstValue.swift")
        _ = try await grader.grade(submission)
        steps.withLock { $0 = [] }
        switch edit {
        case .none: break
        case .body: try change("FirstValue", 3000)
        case .signature:
            let file = workbook.learnerFile("FirstValue")
            let text = try String(contentsOf: file, encoding: .utf8)
            guard let range = text.range(of: "Error, Equatable") else {
                throw Failure(command: "a change of the declaration of FirstValueError")
            }
            try Data(text.replacingCharacters(in: range, with: "Error, Hashable").utf8).write(
                to: file)
        }
        _ = try await grader.grade(submission)
        return steps.withLock { $0 }
    }

    // MARK: What is measured

    func solve(_ kata: String) throws {
        let answer = try Data(contentsOf: workbook.solution(kata).appendingPathComponent("\(kata).swift"))
        try answer.write(to: workbook.learnerFile(kata))
    }

    /// Changes the answer's body, as a learner's edit does: a function that nobody calls has another number in it.
    func change(_ kata: String, _ number: Int) throws {
        let answer = try String(
            contentsOf: workbook.solution(kata).appendingPathComponent("\(kata).swift"), encoding: .utf8)
        try Data((answer + "\nprivate func edit() -> Int { \(number) }\n").utf8).write(to: workbook.learnerFile(kata))
    }

    func check(_ katas: [String]) throws {
        try run(grader, ["check", "--workbook", workbook.url.path] + katas)
    }

    func compile(_ kata: String) throws {
        let modules = grader.deletingLastPathComponent().appendingPathComponent("Modules").path
        let object = workbook.url.appendingPathComponent("\(kata).o").path
        try run(
            URL(fileURLWithPath: "/usr/bin/env"),
            [
                "swiftc", "-c", workbook.learnerFile(kata).path, "-module-name", kata, "-swift-version", "5",
                "-parse-as-library", "-I", modules, "-o", object,
            ])
    }

    /// `swift test` after the same change to the model answer, which is what its suite is built with there. The answer is put
    /// back whatever happens.
    func swiftTest() throws -> Double {
        let file = package.solution("FirstValue").appendingPathComponent("FirstValue.swift")
        let answer = try Data(contentsOf: file)
        defer { try? answer.write(to: file) }
        func test() throws {
            try run(
                URL(fileURLWithPath: "/usr/bin/env"),
                ["swift", "test", "--package-path", package.url.path, "--filter", "FirstValueTests"])
        }
        print("Preparing: swift test builds all there is.")
        try test()
        var times: [Double] = []
        for round in 0..<3 {
            try (answer + Data("\nprivate func edit() -> Int { \(5000 + round) }\n".utf8)).write(to: file)
            times.append(try seconds(test))
        }
        return median(times)
    }

    func run(_ program: URL, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(command: "\(program.lastPathComponent) \(arguments.joined(separator: " "))")
        }
    }

    struct Failure: Error, CustomStringConvertible {
        var command: String
        var description: String { "Expected this to succeed, so that it can be measured: \(command)" }
    }

    func seconds(_ body: () throws -> Void) throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try body()
        return start.duration(to: clock.now) / .seconds(1)
    }

    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    func tell(_ what: String, _ seconds: Double) {
        print("\(what): \(Int((seconds * 1000).rounded())) ms")
    }

    func ratio(_ what: String, _ value: Double) {
        print("= \(what): \((value * 100).rounded() / 100)")
    }
}
