import Foundation
import Workbook

/// How fast a class is graded, as ratios of what one run has measured on one machine.
///
///     swift run class-benchmark [--learners N] [--without-swift-test]
@main
struct ClassBenchmark {
    let workbook: WorkbookFolder
    let grader: URL
    let scratch: URL
    let katas: [Kata]

    static func main() throws {
        let arguments = CommandLine.arguments
        guard let workbook = WorkbookFolder(containing: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
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
        let index = arguments.firstIndex(of: "--learners")
        let learners = index.flatMap { arguments.indices.contains($0 + 1) ? Int(arguments[$0 + 1]) : nil } ?? 200
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("class-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let benchmark = ClassBenchmark(
            workbook: workbook, grader: grader, scratch: scratch, katas: try workbook.katas())
        try benchmark.run(learners: max(2, learners), withSwiftTest: !arguments.contains("--without-swift-test"))
    }

    func run(learners: Int, withSwiftTest: Bool) throws {
        print("Preparing: every suite is compiled once.")
        try write(learners: 1, to: "first", mark: "first")
        _ = try grade("first", jobs: 1)

        try write(learners: learners, to: "one", mark: "one")
        let one = try grade("one", jobs: 1)
        try write(learners: learners, to: "two", mark: "two")
        let two = try grade("two", jobs: 2)
        let submissions = Double(learners * katas.count)
        tell("submissions a minute, one job", submissions / one.seconds * 60)
        tell("submissions a minute, two jobs", submissions / two.seconds * 60)
        ratio("two jobs against one (at least 1.8)", one.seconds / two.seconds)

        // Everything is decided already: what is left is what the grader itself needs for a class ten times as large.
        let small = try grade("two", jobs: 2)
        try write(copies: learners * 10, of: "two", to: "large")
        let large = try grade("large", jobs: 2)
        tell("MB of the grader, \(learners) learners graded", two.megabytes)
        tell("MB of the grader, \(learners * 10) learners of the same submissions", large.megabytes)
        ratio("memory of ten times the learners (about 1)", large.megabytes / max(small.megabytes, two.megabytes))

        guard withSwiftTest else { return }
        let package = try package()
        let cold = try seconds { try swiftTest(package) }
        try change(package)
        let warm = try seconds { try swiftTest(package) }
        let each = two.seconds / Double(learners)
        tell("seconds a learner, grader", each)
        tell("seconds a learner, swift test in a package of their own, cold", cold)
        tell("seconds a learner, swift test in one package, warm", warm)
        ratio("grader against a cold swift test (at least 20)", cold / each)
        ratio("grader against a warm swift test (at least 4)", warm / each)
    }

    // MARK: - The class

    private func answer(_ kata: Kata) throws -> String {
        try String(
            contentsOf: workbook.solution(kata.kata).appendingPathComponent("\(kata.kata).swift"), encoding: .utf8)
    }

    /// Learners whose files all differ.
    private func write(learners: Int, to folder: String, mark: String) throws {
        for number in 0..<learners {
            let place = scratch.appendingPathComponent("\(folder)/learner \(number)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for kata in katas {
                try Data("\(try answer(kata))\n// \(mark) \(number)\n".utf8)
                    .write(to: place.appendingPathComponent("\(kata.kata).swift"))
            }
        }
    }

    /// Learners who handed in what others did, so that the class is large and its grading is not.
    private func write(copies count: Int, of folder: String, to copy: String) throws {
        let originals = try FileManager.default.contentsOfDirectory(atPath: scratch.appendingPathComponent(folder).path)
            .sorted()
        let place = scratch.appendingPathComponent(copy)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for number in 0..<count {
            try FileManager.default.copyItem(
                at: scratch.appendingPathComponent("\(folder)/\(originals[number % originals.count])"),
                to: place.appendingPathComponent("copy \(number)"))
        }
    }

    private func grade(_ folder: String, jobs: Int) throws -> (seconds: Double, megabytes: Double) {
        let process = Process()
        process.executableURL = grader
        process.arguments = [
            "grade", scratch.appendingPathComponent(folder).path, "--report",
            scratch.appendingPathComponent("\(folder) report").path, "--jobs", "\(jobs)", "--workbook",
            workbook.url.path,
            "--seed", "1",
        ]
        process.standardOutput = FileHandle.nullDevice
        var peak = 0.0
        let taken = try seconds {
            try process.run()
            // The kernel keeps the peak; it has to be read while the process lives.
            while process.isRunning {
                peak = max(peak, residentMegabytes(process.processIdentifier))
                usleep(50_000)
            }
        }
        guard process.terminationStatus == 0 else { throw Failure(what: "grader grade") }
        return (taken, peak)
    }

    private func residentMegabytes(_ process: Int32) -> Double {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let peak = status.firstMatch(of: /VmHWM:\s+([0-9]+) kB/)
        else { return 0 }
        return (Double(peak.output.1) ?? 0) / 1024
    }

    // MARK: - The usual way

    /// A learner's package: Combine, what suites are written with, and each kata with its suite.
    private func package() throws -> URL {
        let place = scratch.appendingPathComponent("package")
        try FileManager.default.createDirectory(
            at: place.appendingPathComponent("Sources"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            at: place.appendingPathComponent("Tests"), withIntermediateDirectories: true)
        var targets = [
            ".target(name: \"Combine\", swiftSettings: [.swiftLanguageMode(.v5)])",
            ".target(name: \"KataSupport\", dependencies: [\"Combine\"])",
        ]
        func copy(_ path: String, to new: String) throws {
            try FileManager.default.copyItem(
                at: workbook.url.appendingPathComponent(path), to: place.appendingPathComponent(new))
        }
        for module in ["Combine", "KataSupport"] { try copy("Sources/\(module)", to: "Sources/\(module)") }
        for kata in katas.map(\.kata) {
            try copy("Solutions/\(kata)", to: "Sources/\(kata)")
            try copy("Tests/\(kata)Tests", to: "Tests/\(kata)Tests")
            let settings = "swiftSettings: [.swiftLanguageMode(.v5)]"
            targets += [
                ".target(name: \"\(kata)\", dependencies: [\"Combine\"], \(settings))",
                ".testTarget(name: \"\(kata)Tests\", dependencies: [\"\(kata)\", \"KataSupport\"], "
                    + "exclude: [\"Mutants\"], \(settings))",
            ]
        }
        let manifest = """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(name: "Learner", platforms: [.macOS(.v15)], targets: [
                \(targets.joined(separator: ",\n    "))
            ])
            """
        try Data(manifest.utf8).write(to: place.appendingPathComponent("Package.swift"))
        return place
    }

    private func change(_ package: URL) throws {
        for kata in katas {
            try Data("\(try answer(kata))\n// another learner\n".utf8)
                .write(to: package.appendingPathComponent("Sources/\(kata.kata)/\(kata.kata).swift"))
        }
    }

    private func swiftTest(_ package: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift", "test", "--package-path", package.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(what: "swift test") }
    }

    // MARK: - What is told

    private struct Failure: Error { var what: String }

    private func seconds(_ work: () throws -> Void) throws -> Double {
        let start = ContinuousClock.now
        try work()
        let (seconds, attoseconds) = start.duration(to: .now).components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    private func tell(_ what: String, _ value: Double) { print("\(String(format: "%10.2f", value))  \(what)") }

    private func ratio(_ what: String, _ value: Double) { print("ratio \(String(format: "%6.2f", value))  \(what)") }
}
