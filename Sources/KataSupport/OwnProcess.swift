#if canImport(Testing)
import Foundation
import Testing

/// `swift test` runs the tests of all targets in one process, and from its first use this module takes over every task of its
/// process (see `TaskQueue`): `settle()` would wait for other targets' tests, and they would run one task at a time.
///
/// The tests of a suite with this trait run in a process that belongs to their target:
///
///     @Suite(.ownProcess) struct FirstValueTests { … }
///
/// The first of them to be reached starts that process, which is the same program with a filter. Every test of the target
/// then takes its result from what that process recorded. Where a process belongs to one target anyway, as in Xcode
/// and in the grader, the tests run where they are.
public struct OwnProcess: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> OwnProcess? {
        if test.isSuite { return nil }
        if RaceWatch.isOn { return testCase == nil ? nil : self }
        return testCase == nil && Self.isShared ? self : nil
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if RaceWatch.isOn { return try await RaceWatch.run(function) }
        let record = await TargetProcesses.shared.record(of: test.id.moduleName)
        for issue in record.issues(of: "\(test.id)") {
            Issue.record(Comment(rawValue: issue.text), sourceLocation: issue.location ?? test.sourceLocation)
        }
    }

    /// Set in the environment of a process that belongs to one target. `untilInputEnds` also says that the process has to
    /// end as soon as its standard input does.
    static let variable = "KATA_OWN_PROCESS"
    static let untilInputEnds = "until-input-ends"

    /// Whether the tests of other targets run in this process too.
    private static let isShared: Bool = {
        let own = ProcessInfo.processInfo.environment[variable]
        if own == untilInputEnds { endWithInput() }
        return own == nil && CommandLine.arguments.contains("--testing-library")
    }()

    /// The parent holds the other end of standard input, and the system closes it when the parent ends, however it ends.
    private static func endWithInput() {
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) != 0 {}
            _exit(1)
        }
    }
}

extension Trait where Self == OwnProcess {
    /// The tests run in a process that belongs to their target.
    public static var ownProcess: OwnProcess { OwnProcess() }
}

/// The processes of the targets, each started once and one after the other: a suite should not have to share the processor
/// with another one.
private actor TargetProcesses {
    static let shared = TargetProcesses()

    private var records: [String: Task<ProcessRecord, Never>] = [:]
    private var last: Task<ProcessRecord, Never>?

    func record(of module: String) async -> ProcessRecord {
        if let known = records[module] { return await known.value }
        let task = Task { [last] in
            _ = await last?.value
            return await TargetProcess(module: module).run()
        }
        records[module] = task
        last = task
        return await task.value
    }
}

/// The process in which one target's tests run.
private struct TargetProcess {
    var module: String

    /// No target's tests come near this, and the waits of suites have deadlines of their own.
    static let limit = 300

    func run() async -> ProcessRecord {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("own-process-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let events = folder.appendingPathComponent("events")
            let output = folder.appendingPathComponent("output")
            try Data().write(to: output)
            let ending = try await run(events: events, output: output)
            return ProcessRecord(
                module: module, events: (try? Data(contentsOf: events)) ?? Data(), ending: ending,
                output: String(decoding: (try? Data(contentsOf: output)) ?? Data(), as: UTF8.self))
        } catch {
            return ProcessRecord(module: module, events: Data(), ending: .notStarted("\(error)"), output: "")
        }
    }

    private func run(events: URL, output: URL) async throws -> ProcessRecord.Ending {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments(events: events)
        process.environment = ProcessInfo.processInfo.environment.merging([
            OwnProcess.variable: OwnProcess.untilInputEnds, "KATA_SEED": "\(Seed.value)",
        ]) { $1 }
        let input = Pipe()
        // No other process may hold this end, or it would stay open when this process ends.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        process.standardInput = input
        let text = try FileHandle(forWritingTo: output)
        process.standardOutput = text
        process.standardError = text

        let state = Locked((hasEnded: false, isLate: false))
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in
                state.withLock { $0.hasEnded = true }
                ended.resume()
            }
            do { try process.run() } catch { return ended.resume(throwing: error) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.limit)) {
                state.withLock { state in
                    if state.hasEnded { return }
                    state.isLate = true
                    kill(process.processIdentifier, SIGKILL)
                }
            }
        }
        if state.withLock({ $0.isLate }) { return .stopped(seconds: Self.limit) }
        return process.terminationReason == .uncaughtSignal
            ? .signal(process.terminationStatus) : .exit(process.terminationStatus)
    }

    private func arguments(events: URL) -> [String] {
        let given = CommandLine.arguments
        // Where tests are a bundle, a program of SwiftPM's loads it.
        let bundle = given.firstIndex(of: "--test-bundle-path").map { Array(given[$0...].prefix(2)) } ?? []
        return bundle + [
            "--testing-library", "swift-testing", "--no-parallel", "--filter", "^\(module)\\.",
            "--event-stream-output-path", events.path, "--event-stream-version", "0",
        ]
    }
}
#endif
