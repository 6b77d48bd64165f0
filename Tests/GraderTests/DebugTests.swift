import Foundation
import TestSupport
import Testing

/// A debugger is a program in `PATH`, so a script stands for it: it says what it was asked, and runs the program.
@Suite("grader debug", .grades)
struct DebugTests {
    private let scratch: ScratchFolder
    private let workbook: SmallWorkbook

    init() throws {
        scratch = try ScratchFolder()
        workbook = try SmallWorkbook(at: scratch("workbook"))
        try workbook.learn("Greeting", SmallWorkbook.passing)
    }

    private func debug(_ arguments: String..., lldb script: String) async throws -> Program.Run {
        let tools = scratch("tools")
        try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
        let lldb = tools.appendingPathComponent("lldb")
        try Data(("#!/bin/sh\n" + script).utf8).write(to: lldb)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: lldb.path)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return try await Program.run(
            ["debug"] + arguments, in: workbook.folder, environment: ["PATH": "\(tools.path):\(path)"])
    }

    @Test("It runs the learner's code, one test or all; where the debugger does not start, it says how to go on")
    func learnersCode() async throws {
        let runs = """
            [ "$1" = --version ] && exit 0
            while [ "$1" != -- ]; do echo "asked: $1"; shift; done
            shift
            exec "$@"
            """
        let one = try await debug("Greeting", "greets", lldb: runs)
        #expect(one.output.contains("asked: run"))
        #expect(one.output.contains("I greet Ann"))
        let other = try await debug("Greeting", "testStranger", lldb: runs)
        #expect(other.output.contains("I greet \n"))
        #expect(!other.output.contains("I greet Ann"))
        let all = try await debug("Greeting", lldb: runs)
        #expect(all.errors.contains("GreetingXCTests/testStranger"))
        #expect(all.output.contains("I greet Ann"))

        let broken = try await debug("Greeting", "greets", lldb: "echo 'a library is missing' >&2; exit 127\n")
        #expect(broken.code == 3)
        #expect(broken.errors.contains("a library is missing"))
        #expect(broken.errors.contains("PortablePackageTests.xctest"))

        try workbook.learn("Greeting", "public func greeting(_ name: String) -> String { nothing }\n")
        let refused = try await debug("Greeting", "greets", lldb: runs)
        #expect(refused.code == 1)
        #expect(refused.output.contains("Greeting.swift:1:50: error:"))
    }

    @Test("A test that the kata does not have is answered with those that it has")
    func unknownTest() async throws {
        let run = try await debug("Greeting", "greet", lldb: "exit 0\n")
        #expect(run.code == 2)
        #expect(run.errors.contains("greets") && run.errors.contains("testStranger"))
    }
}
