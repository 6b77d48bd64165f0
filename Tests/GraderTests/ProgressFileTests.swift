import Foundation
import Storage
import TestSupport
import Testing
import Workbook

/// progress.json, as the program itself reads and writes it.
@Suite("progress.json when something goes wrong", .grades)
struct ProgressFileTests {
    private let folder: ScratchFolder
    private let workbook: SmallWorkbook
    private let file: URL

    init() throws {
        folder = try ScratchFolder()
        // Never edited here: its verdict is that of the stub, which needs no compiler.
        workbook = try SmallWorkbook(at: folder("workbook"), katas: ["Greeting"])
        file = workbook.folder.appendingPathComponent(".grader/progress.json")
    }

    private func progress() throws -> LearnerProgress { try ProgressStore(file: file).load().progress }

    @Test("A verdict is remembered")
    func remembered() async throws {
        #expect(try await Program.run(["check"], in: workbook.folder).code == 1)
        let kata = try #require(try progress().katas["Greeting"])
        #expect(kata.last?.outcome == .notStarted)
        #expect(kata.last?.failing.count == 2)
    }

    @Test("Killed at any of its changes to a file, the program leaves a complete file that has lost nothing")
    func killed() async throws {
        let store = ProgressStore(file: file)
        try store.update { $0.katas["Parting", default: KataProgress()].hintsShown["kept"] = 3 }
        var change = 1
        while true {
            let before = try store.load()
            let language: Language = change.isMultiple(of: 2) ? .korean : .thai
            let run = try await Program.run(
                ["language", language.code], in: workbook.folder, environment: KillAtChange.environment(change))
            let after = try store.load()
            #expect(after.damagedFileKeptAt == nil)
            #expect(after.progress.katas["Parting"]?.hintsShown == ["kept": 3])
            let chosen = after.progress.language
            #expect(chosen == before.progress.language || chosen == language)
            guard run.wasKilled else {
                #expect(run.code == 0 && chosen == language, "\(run.text)")
                break
            }
            change += 1
        }
        // At least: the new file is created, written, synchronised with the disk, and renamed.
        #expect(change > 4)
        let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
        #expect(Set(names).isSubset(of: ["progress.json", "progress.json.lock", "progress.json.new", "cache"]))
    }

    @Test("Eight graders at the same time lose none of each other's changes")
    func eight() async throws {
        let workbook = workbook
        for round in 1...5 {
            try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await Program.run(["hint", "Greeting"], in: workbook.folder).code }
                }
                for try await code in group { #expect(code == 0) }
            }
            _ = round
            // Eight hints were asked for, and there are three.
            #expect(try progress().katas["Greeting"]?.hintsShown == ["GreetingTests/greets()": 3])
            let store = ProgressStore(file: file)
            try store.update { $0.katas["Greeting"]?.hintsShown = [:] }
        }
    }

    @Test("A damaged file is kept under another name and reported, and grading goes on", arguments: Language.allCases)
    func damaged(language: Language) async throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("{\"schema\":1,".utf8).write(to: file)
        let run = try await Program.run(["check", "--language", language.code], in: workbook.folder)
        #expect(run.code == 1)
        #expect(run.errors.contains("`.grader/progress.json.damaged-"))
        #expect(try progress().katas["Greeting"] != nil)
    }

    @Test("A file from a newer version is reported and not changed, and grading goes on")
    func newer() async throws {
        let text = #"{"schema":7,"katas":{"Greeting":"unknown"}}"#
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        let run = try await Program.run(["check"], in: workbook.folder)
        #expect(run.code == 1)
        #expect(run.output.contains("Greeting"))
        #expect(run.errors.contains("version 7"))
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test("If progress.json may not be written, the verdict is still shown, with the reason why it is not saved")
    func noPermission() async throws {
        let locked = folder("locked")
        try FileManager.default.createDirectory(at: locked, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: locked.path)
        var starter: [String] = []
        if getuid() == 0 {
            // Root may write anywhere, so the test runs as another user, who may read the workbook.
            let setpriv = "/usr/bin/setpriv"
            guard FileManager.default.isExecutableFile(atPath: setpriv) else {
                print("skipped: running as root, and setpriv is missing to run as another user")
                return
            }
            starter = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]
            let probe = try await Program.run(["version"], in: workbook.folder, by: starter)
            guard probe.code == 0 else {
                print("skipped: another user may not run the program: \(probe.errors)")
                return
            }
        }
        let run = try await Program.run(
            ["check", "--progress", locked.appendingPathComponent("progress.json").path], in: workbook.folder,
            by: starter)
        #expect(run.code == 3)
        #expect(run.output.contains("Greeting"))
        #expect(run.errors.contains("you do not have permission"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: locked.path) == [])
    }

    @Test("On a full disk the file does not change, and a message says that the disk is full")
    func fullDisk() async throws {
        let disk = folder("disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        guard try await mount(disk) else { return }
        do {
            let file = disk.appendingPathComponent("progress.json")
            let arguments = ["check", "--progress", file.path]
            #expect(try await Program.run(arguments, in: workbook.folder).code == 1)
            let before = try Data(contentsOf: file)
            try fill(disk)
            let run = try await Program.run(["hint", "Greeting", "--progress", file.path], in: workbook.folder)
            #expect(run.code == 3)
            #expect(run.errors.contains("the disk is full"))
            #expect(try Data(contentsOf: file) == before)
            let names = try FileManager.default.contentsOfDirectory(atPath: disk.path)
            #expect(Set(names) == ["progress.json", "progress.json.lock", "filler"])
        } catch {
            try await unmount(disk)
            throw error
        }
        try await unmount(disk)
    }

    private func mount(_ disk: URL) async throws -> Bool {
        #if os(Linux)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/mount")
        process.arguments = ["-t", "tmpfs", "-o", "size=64k,mode=777", "tmpfs", disk.path]
        process.standardError = FileHandle.nullDevice
        if getuid() == 0, (try? await Program.finish(process)) != nil, process.terminationStatus == 0 { return true }
        #endif
        print("skipped: a small disk can be mounted by root on Linux only")
        return false
    }

    private func unmount(_ disk: URL) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/umount")
        process.arguments = [disk.path]
        try await Program.finish(process)
        #expect(process.terminationStatus == 0)
    }

    /// Writes until the disk is full.
    private func fill(_ disk: URL) throws {
        let descriptor = open(disk.appendingPathComponent("filler").path, O_WRONLY | O_CREAT, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 7, count: 512)
        while write(descriptor, block, block.count) > 0 {}
        #expect(errno == ENOSPC)
    }
}
