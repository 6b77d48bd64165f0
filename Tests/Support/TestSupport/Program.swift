import Foundation

/// The built grader, as `swift build` leaves it in the folder of the tests.
public enum Program {
    public struct Run: Sendable {
        public var code: Int32
        public var wasKilled = false
        public var output: String
        public var errors: String

        /// What a person sees on a terminal: both.
        public var text: String { output + errors }
    }

    public static var buildFolder: URL {
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

    public static var executable: URL {
        get throws { try buildFolder.appendingPathComponent("grader") }
    }

    /// The option of `grade` and `check --submission` if there is no sandbox: the tests' own code can be trusted.
    public static let sandboxOption: [String] = Need.bubblewrap.isMet ? [] : ["--no-sandbox"]

    /// A terminal's environment in English, with nothing of this machine except the path to the compiler.
    public static func environment(_ changes: [String: String] = [:]) -> [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return ["PATH": path, "LANG": "en_US.UTF-8", "TERM": "xterm-256color"].merging(changes) { $1 }
    }

    public static func process(
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

    /// Runs the program to its end. Its output goes to files, which cannot fill up as pipes do.
    public static func run(
        _ arguments: [String], in folder: URL, environment: [String: String] = [:], by starter: [String] = []
    ) async throws -> Run {
        try await run(process(arguments, in: folder, environment: environment, by: starter))
    }

    /// Runs another program than the grader in the same way.
    public static func run(_ command: [String], environment changes: [String: String] = [:]) async throws -> Run {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = environment(changes)
        process.standardInput = FileHandle.nullDevice
        return try await run(process)
    }

    private static func run(_ process: Process) async throws -> Run {
        let scratch = try ScratchFolder()
        let files = [scratch("output"), scratch("errors")]
        for file in files { try Data().write(to: file) }
        let handles = try files.map { try FileHandle(forWritingTo: $0) }
        defer { for handle in handles { try? handle.close() } }
        process.standardOutput = handles[0]
        process.standardError = handles[1]
        try await finish(process)
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return Run(
            code: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal, output: texts[0],
            errors: texts[1])
    }

    /// Starts the process, and returns when it has ended.
    public static func finish(_ process: Process) async throws { try await start(process).value }

    /// Starts the process, and returns a task that ends with it.
    public static func start(_ process: Process) throws -> Task<Void, Never> {
        let (stream, ended) = AsyncStream<Never>.makeStream()
        process.terminationHandler = { _ in ended.finish() }
        try process.run()
        return Task { for await _ in stream {} }
    }
}
