import Foundation
import TestSupport
import Testing

/// Where a workbook is, and how old a toolchain's files are, is no mistake of the learner's.
@Suite("What the machine does changes no verdict", .grades)
struct MachineTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    @Test("A kata is graded in a folder with spaces, an apostrophe and letters of five scripts")
    func anyFolder() async throws {
        let folder = scratch("it's 학습 año ไทย 学习")
        let workbook = try SmallWorkbook(at: folder.appendingPathComponent("workbook"), sharesCache: false)
        try workbook.learn("Greeting", SmallWorkbook.answer)
        let run = try await Program.run(["check"], in: workbook.folder, environment: ["TMPDIR": folder.path])
        #expect(run.code == 0, "\(run.text)")
    }

    @Test("`doctor` names a TMPDIR that Swift's compiler crashes on, and grades all the same")
    func doctorNamesTheFolder() async throws {
        let folder = scratch("학습")
        let workbook = try SmallWorkbook(at: folder.appendingPathComponent("workbook"))
        let run = try await Program.run(["doctor"], in: workbook.folder, environment: ["TMPDIR": folder.path])
        #expect(run.code == 0, "\(run.text)")
        #expect(run.output.contains("! `TMPDIR` is `\(folder.path)`"), "\(run.text)")
    }

    @Test("A header of the toolchain with a new time makes no answer wrong", .needs(.bubblewrap))
    func newerHeaders() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"), sharesCache: false)
        try workbook.learn("Greeting", SmallWorkbook.answer)
        let machine = try Machine(scratch)
        #expect(try await machine.run(["check", "--no-cache"], in: workbook.folder).code == 0)
        try machine.touchHeaders()
        let run = try await machine.run(["check", "--no-cache"], in: workbook.folder)
        #expect(run.code == 0, "\(run.text)")
    }

    @Test(
        "A toolchain that cannot compile anything is the grader's trouble, and no verdict is kept", .needs(.bubblewrap))
    func brokenHeaders() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"), sharesCache: false)
        try workbook.learn("Greeting", SmallWorkbook.answer)
        let machine = try Machine(scratch)
        #expect(try await machine.run(["check", "--no-cache"], in: workbook.folder).code == 0)
        try workbook.learn("Greeting", SmallWorkbook.passing)
        try machine.breakHeaders()
        let run = try await machine.run(["check"], in: workbook.folder)
        #expect(run.code == 3)
        #expect(run.errors.contains("This is not a mistake in the submission."), "\(run.text)")
        try machine.mendHeaders()
        #expect(try await machine.run(["check"], in: workbook.folder).output.contains("passed"))
    }
}

/// The machine with another copy of the compiler's own headers, and of what it has made of them.
private struct Machine {
    private let headers: URL
    private let starter: [String]
    private static let broken = "\n#error broken\n"

    init(_ scratch: ScratchFolder) throws {
        let files = FileManager.default
        let bwrap = try #require(Need.bubblewrap.path)
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let compiler = folders.map { URL(fileURLWithPath: "\($0)/swiftc") }.first {
            files.isExecutableFile(atPath: $0.path)
        }
        let toolchain = try #require(compiler).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent()
        headers = scratch("shims")
        let modules = scratch("ModuleCache")
        let original = toolchain.appendingPathComponent("lib/swift/shims")
        let built = try Program.buildFolder.appendingPathComponent("ModuleCache")
        try files.copyItem(at: original, to: headers)
        try files.copyItem(at: built, to: modules)
        starter =
            [bwrap, "--dev-bind", "/", "/"] + ["--bind", headers.path, original.path]
            + ["--bind", modules.path, built.path, "--"]
    }

    func run(_ arguments: [String], in folder: URL) async throws -> Program.Run {
        try await Program.run(arguments, in: folder, by: starter)
    }

    func touchHeaders() throws { try changeHeaders { $0 + "\n" } }
    func breakHeaders() throws { try changeHeaders { $0 + Self.broken } }
    func mendHeaders() throws { try changeHeaders { $0.replacing(Self.broken, with: "\n") } }

    private func changeHeaders(_ change: (String) -> String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: headers.path) where name.hasSuffix(".h") {
            let file = headers.appendingPathComponent(name)
            try change(String(contentsOf: file, encoding: .utf8)).write(to: file, atomically: true, encoding: .utf8)
        }
    }
}
