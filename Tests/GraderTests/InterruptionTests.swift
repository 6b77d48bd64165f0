import Foundation
import Storage
import TestSupport
import Testing

/// The real program, and signals as terminals, shells and batch systems send them.
@Suite("A signal that ends the program while it grades", .grades)
struct InterruptionTests {
    private let scratch: ScratchFolder
    private let workbook: SmallWorkbook

    init() throws {
        scratch = try ScratchFolder()
        workbook = try SmallWorkbook(at: scratch("workbook"))
    }

    /// Starts the program, and returns when it runs a suite, with all processes that it has started.
    private func start(
        _ arguments: [String], by starter: [String] = []
    ) throws -> (Process, ended: Task<Void, Never>, started: Set<Int32>) {
        let process = try Program.process(arguments, in: workbook.folder, by: starter)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let ended = try Program.start(process)
        let started = try Processes.descendants(of: process.processIdentifier) { processes in
            processes.contains { Processes.name(of: $0) == "harness" }
        }
        return (process, ended, started)
    }

    private func expectNothingLeft(of process: Process, _ started: Set<Int32>) throws {
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(Processes.remaining(of: started) == [])
        #expect(try TestCache.unfinishedJobs(of: process.processIdentifier) == [])
    }

    private static let endless = "public func greeting(_ name: String) -> String { while true {} }\n"

    @Test(
        "It ends by that signal, with all that it has started, and gives no verdict",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func check(signal: Int32) async throws {
        try workbook.learn("Greeting", Self.endless)
        let (process, ended, started) = try start(["check", "Greeting", "--no-cache"])
        kill(process.processIdentifier, signal)
        await ended.value
        #expect(process.terminationStatus == signal)
        try expectNothingLeft(of: process, started)
        let file = workbook.folder.appendingPathComponent(".grader/progress.json")
        #expect(try ProgressStore(file: file).load().progress.katas.isEmpty)
    }

    @Test("A signal that it was started to ignore does not end it")
    func ignored() async throws {
        try workbook.learn("Greeting", Self.endless)
        let (process, ended, _) = try start(["check", "Greeting", "--no-cache"], by: ["/usr/bin/nohup"])
        kill(process.processIdentifier, SIGHUP)
        await ended.value
        #expect(process.terminationReason == .exit && process.terminationStatus == 1)
    }

    @Test("A class ends with what is being graded, and with a second signal at once")
    func classTwice() async throws {
        let learner = scratch("class/Ann")
        try FileManager.default.createDirectory(at: learner, withIntermediateDirectories: true)
        try Data(Self.endless.utf8).write(to: learner.appendingPathComponent("Greeting.swift"))
        let arguments = ["grade", scratch("class").path, "--report", scratch("report").path, "--no-cache"]
        let (process, ended, started) = try start(arguments + Program.sandboxOption)
        // Two different ones: the kernel delivers the same one twice as one.
        kill(process.processIdentifier, SIGINT)
        kill(process.processIdentifier, SIGTERM)
        await ended.value
        try expectNothingLeft(of: process, started)
    }
}
