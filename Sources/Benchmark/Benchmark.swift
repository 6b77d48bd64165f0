import Foundation
import Storage

/// Something that can be measured on this machine.
protocol Benchmark: Sendable {
    /// What it is called on the command line.
    static var name: String { get }
    /// Its options, as a line of help shows them.
    static var options: String { get }

    func run(_ setting: BenchmarkSetting) async throws
    init()
}

/// Measures one thing: `swift run benchmark NAME [OPTION …]`.
@main
enum BenchmarkCommand {
    static let all: [any Benchmark.Type] = [
        GradingBenchmark.self, VerdictBenchmark.self, WatchBenchmark.self, ClassBenchmark.self, HintBenchmark.self,
        SimilarityBenchmark.self, CombineBenchmark.self,
    ]

    static func main() async {
        let name = CommandLine.arguments.dropFirst().first ?? ""
        guard let benchmark = all.first(where: { $0.name == name }) else {
            print("Expected the name of a benchmark:")
            for known in all { print("    swift run benchmark \(known.name) \(known.options)") }
            exit(2)
        }
        let known = Set(benchmark.options.components(separatedBy: CharacterSet(charactersIn: " []")))
        if let unknown = CommandLine.arguments.dropFirst(2).first(where: { $0.hasPrefix("-") && !known.contains($0) }) {
            print("\(unknown) is not an option. Expected: swift run benchmark \(benchmark.name) \(benchmark.options)")
            exit(2)
        }
        do {
            let setting = try BenchmarkSetting()
            defer { try? FileManager.default.removeItem(at: setting.scratch) }
            try await benchmark.init().run(setting)
        } catch {
            print(error)
            exit(1)
        }
    }
}

/// Why something could not be measured.
struct BenchmarkFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// Where a benchmark runs: the package, what `swift build` made of it, and a folder that is removed afterwards.
struct BenchmarkSetting {
    let package: WorkbookFolder
    let products: URL
    let scratch: URL

    init() throws {
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        guard let package = WorkbookFolder(containing: here) else {
            throw BenchmarkFailure(
                "Run this in the workbook's folder: no folder with Exercises/ was found at or above \(here.path).")
        }
        self.package = package
        products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        scratch = FileManager.default.temporaryDirectory.appendingPathComponent("benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    }

    /// The command that is measured.
    var grader: URL {
        get throws {
            let grader = products.appendingPathComponent("grader")
            guard FileManager.default.isExecutableFile(atPath: grader.path) else {
                throw BenchmarkFailure(
                    "Expected the grader at \(grader.path). Build it first: swift build --product grader")
            }
            return grader
        }
    }

    /// A copy of the workbook that may be changed.
    func copiedWorkbook() throws -> WorkbookFolder {
        let copy = scratch.appendingPathComponent("workbook")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        for folder in ["Exercises", "Solutions", "Tests"] {
            try FileManager.default.copyItem(
                at: package.url.appendingPathComponent(folder), to: copy.appendingPathComponent(folder))
        }
        return WorkbookFolder(copy)
    }

    // MARK: - Options

    func has(_ option: String) -> Bool { CommandLine.arguments.contains(option) }

    func value(_ option: String) -> String? {
        let arguments = CommandLine.arguments
        guard let index = arguments.firstIndex(of: option), arguments.indices.contains(index + 1) else { return nil }
        return arguments[index + 1]
    }

    func number(_ option: String, _ standard: Int, atLeast least: Int = 1) -> Int {
        max(least, value(option).flatMap { Int($0) } ?? standard)
    }

    // MARK: - Programs

    /// Runs a program that has to succeed.
    ///
    /// - Parameters:
    ///   - exitCodes: the program has to end with one of these.
    ///   - each: called every now and then with the process, while it runs.
    func run(
        _ program: URL, _ arguments: [String], exitCodes: Set<Int32> = [0], each: ((Int32) -> Void)? = nil
    ) throws {
        let output = scratch.appendingPathComponent("output")
        try Data().write(to: output)
        let file = try FileHandle(forWritingTo: output)
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = file
        process.standardError = file
        try process.run()
        while let each, process.isRunning {
            each(process.processIdentifier)
            usleep(50_000)
        }
        process.waitUntilExit()
        guard exitCodes.contains(process.terminationStatus) else {
            let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
            let command = ([program.lastPathComponent] + arguments).joined(separator: " ")
            throw BenchmarkFailure(
                "\(text.suffix(4000))\nExpected this to succeed, so that it can be measured: \(command)")
        }
    }

    /// Runs a program that is found in `PATH`.
    func run(_ arguments: [String]) throws { try run(URL(fileURLWithPath: "/usr/bin/env"), arguments) }
}
