import Foundation

/// The built program, as `swift build` leaves it beside the tests.
enum Program {
    struct Run: Sendable {
        var code: Int32
        var output: String
        var errors: String

        /// What a person sees who looks at both.
        var text: String { output + errors }
    }

    static var buildFolder: URL {
        get throws {
            #if canImport(Darwin)
            guard let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) else {
                throw CocoaError(.fileNoSuchFile)
            }
            return bundle.bundleURL.deletingLastPathComponent()
            #else
            let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(fileURLWithPath: program).deletingLastPathComponent()
            #endif
        }
    }

    static var executable: URL {
        get throws { try buildFolder.appendingPathComponent("grader") }
    }

    /// A terminal's environment in English, with nothing of the machine's own but the way to the compiler.
    static func environment(_ changes: [String: String] = [:]) -> [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return ["PATH": path, "LANG": "en_US.UTF-8", "TERM": "xterm-256color"].merging(changes) { $1 }
    }

    static func process(
        _ arguments: [String], in folder: URL, environment changes: [String: String] = [:], by starter: [String] = []
    ) throws -> Process {
        let process = Process()
        let command = starter + [try executable.path] + arguments
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = folder
        process.environment = environment(changes)
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs the program to its end. What it prints goes through files, which never fill up as pipes do.
    static func run(
        _ arguments: [String], in folder: URL, environment: [String: String] = [:], by starter: [String] = []
    ) async throws -> Run {
        try await run(process(arguments, in: folder, environment: environment, by: starter))
    }

    /// Runs another program than the grader, likewise.
    static func run(_ command: [String]) async throws -> Run {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = environment()
        process.standardInput = FileHandle.nullDevice
        return try await run(process)
    }

    private static func run(_ process: Process) async throws -> Run {
        let scratch = try ScratchFolder()
        let files = [scratch("output"), scratch("errors")]
        for file in files { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try await finish(process)
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return Run(code: process.terminationStatus, output: texts[0], errors: texts[1])
    }

    /// Starts the process, and comes back when it has ended.
    static func finish(_ process: Process) async throws {
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in ended.resume() }
            do { try process.run() } catch { ended.resume(throwing: error) }
        }
    }
}

/// A folder of one test, removed with it.
final class ScratchFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("katas-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func callAsFunction(_ path: String) -> URL { url.appendingPathComponent(path) }
}
