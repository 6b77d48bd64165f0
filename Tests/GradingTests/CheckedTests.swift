import Foundation
import TestSupport
import Testing

@testable import Grading

@Suite("What submissions are compiled with does what Swift's own does", .startsPrograms)
struct CheckedTests {
    private let folder: ScratchFolder
    private let toolchain: Toolchain

    init() throws {
        folder = try ScratchFolder()
        toolchain = try Toolchain.locate()
    }

    /// What the program prints that these arguments make of the text.
    private func output(of name: String, _ text: String, _ arguments: [String]) async throws -> String {
        try Data(text.utf8).write(to: folder("\(name).swift"))
        try CompilerCall(
            toolchain, by: .driver,
            ["-swift-version", "5", "-parse-as-library", "-o", name, "\(name).swift"] + arguments, in: folder.url
        ).runOwnCode()
        let run = try await Program.run([folder(name).path], environment: ["SWIFT_BACKTRACE": "enable=no"])
        #expect(run.code == 0, "\(run.text)")
        return run.output
    }

    /// A pointer to a lock has its checked type where a submission keeps a lock on the heap, and everywhere in it then.
    @Test(arguments: [["Names"], ["Names", "HeapLocks"]])
    func aProgramPrintsTheSame(names: [String]) async throws {
        let program = FixtureWorkbook.testFolder.appendingPathComponent("Checked/\(names.last ?? "").swift")
        let text = try String(contentsOf: program, encoding: .utf8)
        let support = try SupportLibraries.locate(beside: try Program.executable)
        let own = try await output(of: "own", text, [])
        let checked = try await output(
            of: "checked", text,
            try names.map { try OwnSource("Harness/InSubmission/\($0)").file.path } + ["-I", support.modules.path]
                + support.objects.map(\.path)
                + ["-Xfrontend", "-import-module", "-Xfrontend", SupportLibraries.checkedModule])
        #expect(!own.isEmpty)
        #expect(checked == own)
    }
}
