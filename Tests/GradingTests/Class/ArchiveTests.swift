import Foundation
import TestSupport
import Testing
import Workbook

@testable import Grading

/// Archives as the system's tools read them, in this system's sandbox.
@Suite("An archive")
final class ArchiveTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("archive-\(UUID().uuidString)")
    private let reader = ArchiveReader(sandbox: try? Sandbox.probe())

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func open(_ name: String, _ data: Data) throws -> SubmissionTree {
        try data.write(to: folder.appendingPathComponent(name))
        let part = SubmissionSource.Part(entry: name, name: name, isFolder: false)
        return SubmissionTree(
            SubmissionSource(learner: "ana", sources: [name], parts: [part]), of: ClassFiles(folder), reader: reader)
    }

    private func open(zip members: ZipFile.Member...) throws -> SubmissionTree {
        try open("ana.zip", ZipFile(members: members).data())
    }

    /// Packs a folder, as a learner would.
    private func tar(_ arguments: String..., prepare: (URL) throws -> Void) throws -> Data {
        let source = folder.appendingPathComponent("source")
        try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
        try prepare(source)
        let packed = folder.appendingPathComponent("packed.tar.gz")
        let process = try Process.run(
            URL(fileURLWithPath: "/usr/bin/env"),
            arguments: ["tar", "-C", source.path, "-czPf", packed.path] + arguments)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try Data(contentsOf: packed)
    }

    private func text(_ tree: SubmissionTree) throws -> String? {
        guard case .file(let item) = KataFinder.find("Map", in: tree.items),
            case .archive(let path, let format, let listing, let member) = item.location
        else { return nil }
        let bytes = try reader.read(member, of: listing, in: path, format, limit: 1 << 20, entry: item.path).get()
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("says when its files were changed: in UTC if it has that, else in the learners' local time")
    func times() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 7 * 3600))
        let zip = ArchiveListing(
            zip: """
                -rw-r--r--  3.0 unx        3 tx stor 80-Jan-02 00:01 a.swift
                -rw-r--r--  2.0 fat        3 b- defN 80-Jan-02 07:01 b.swift
                -rw-r--r--  2.0 fat        3 b- defN 80-000-00 00:00 c.swift
                """, timeZone: zone)
        let start = try #require(DateText("1980-01-02T00:01Z")?.first)
        #expect(zip.members.map(\.modified) == [start, start, nil])
        let tar = ArchiveListing(tar: "-rw-r--r-- 0/0  3 1980-01-02 00:01:09 a.swift")
        #expect(tar.members.map(\.modified) == [start + 9])
    }

    @Test("says when a learner's file was changed")
    func modified() throws {
        let data = try tar("Map.swift") { source in
            let file = source.appendingPathComponent("Map.swift")
            try Data("let a = 1\n".utf8).write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: file.path)
        }
        let tree = try open("ana.tar.gz", data)
        #expect(tree.items.map(\.modified) == [1_000_000_000])
    }

    @Test(
        "gives the file, with any names of the folders around it", .needs(.unzip),
        arguments: ["", "a/b/", "작업 폴더/", "a [1] (2)/", "what?*/", "'quoted' \"twice\"/", "-rf/", "a\\b/", "back\\"])
    func zip(prefix: String) throws {
        let tree = try open(zip: .init(name: "\(prefix)Map.swift", content: Data("let a = 1\n".utf8)))
        #expect(tree.problem == nil)
        #expect(try text(tree) == "let a = 1\n")
    }

    @Test(
        "gives exactly the file that is asked for, also if its folder's name is a pattern", .needs(.unzip),
        arguments: ["作业/", "작업 폴더/", "é/", "*/", "?/", "[a-z]/", "a\\b/"])
    func alike(folder: String) throws {
        func member(_ name: String, _ text: String) -> ZipFile.Member { .init(name: name, content: Data(text.utf8)) }
        let tree = try open(
            zip: member("aMap.swift", "before"), member("\(folder)Map.swift", "let a = 1\n"),
            member("\(folder)old/MyMap.swift", "let b = 2\n"), member("x/ Map.swift", ""),
            member("作业/.Map.swift", "after"))
        #expect(tree.problem == nil)
        #expect(try text(tree) == "let a = 1\n")
    }

    @Test("with a second file of that name in a subfolder gives neither", .needs(.unzip))
    func twice() throws {
        func member(_ name: String) -> ZipFile.Member { .init(name: name, content: Data(name.utf8)) }
        let tree = try open(zip: member("作业/Map.swift"), member("作业/old/Map.swift"))
        #expect(tree.items.map(\.path) == ["ana.zip/作业/Map.swift", "ana.zip/作业/old/Map.swift"])
        #expect(KataFinder.find("Map", in: tree.items) == .several(tree.items))
    }

    @Test("with a wrong length for its file is not read", .needs(.unzip))
    func lengths() throws {
        let tree = try open(zip: .init(name: "Map.swift", content: Data("let a = 1\n".utf8), claimedBytes: 4))
        #expect { try self.text(tree) } throws: { error in
            (error as? Rejection)?.message.key == .archiveUnreadable
        }
    }

    @Test(
        "made by tar gives the file, with any names of the folders around it",
        arguments: ["a/b", "작업 폴더", "a [1]* ?", "-rf", "with\nlines"])
    func tarGz(path: String) throws {
        let data = try tar("--", ".") { source in
            let inner = source.appendingPathComponent(path)
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            try Data("let a = 2\n".utf8).write(to: inner.appendingPathComponent("Map.swift"))
        }
        #expect(try text(open("ana.tar.gz", data)) == "let a = 2\n")
    }

    @Test("may be in a folder that a platform made", .needs(.unzip))
    func nested() throws {
        let inner = folder.appendingPathComponent("Jane")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try ZipFile(members: [.init(name: "Map.swift", content: Data("x".utf8))]).data()
            .write(to: inner.appendingPathComponent("work.zip"))
        let part = SubmissionSource.Part(entry: "Jane", name: "", isFolder: true)
        let tree = SubmissionTree(
            SubmissionSource(learner: "Jane", sources: ["Jane"], parts: [part]), of: ClassFiles(folder), reader: reader)
        #expect(tree.items.map(\.path) == ["work.zip/Map.swift"])
        #expect(try text(tree) == "x")
    }

    @Test(
        "that would unpack elsewhere is not opened", .needs(.unzip),
        arguments: ["/tmp/Map.swift", "../Map.swift", "a/../../Map.swift"])
    func escapes(path: String) throws {
        #expect(try open(zip: .init(name: path)).problem == LocalizableMessage(.archivePathEscapes, path))
    }

    @Test("made by tar that would unpack elsewhere is not opened")
    func tarEscapes() throws {
        let data = try tar("--transform", "s|Map|../Map|", "Map.swift") { source in
            try Data().write(to: source.appendingPathComponent("Map.swift"))
        }
        #expect(try open("ana.tgz", data).problem == LocalizableMessage(.archivePathEscapes, "../Map.swift"))
    }

    @Test("with a link is not opened, except for links in hidden folders", .needs(.unzip))
    func links() throws {
        let link = ZipFile.Member(name: "Map.swift", content: Data("/etc/passwd".utf8), mode: 0o120777)
        #expect(try open(zip: link).problem == LocalizableMessage(.archiveHasLink, "Map.swift"))
        let build = ZipFile.Member(name: ".build/debug", content: Data("x86".utf8), mode: 0o120777)
        let honest = try open(zip: build, .init(name: "Map.swift", content: Data("x".utf8)))
        #expect(honest.problem == nil)
        #expect(try text(honest) == "x")
    }

    @Test("made by tar with a link is not opened")
    func tarLinks() throws {
        let data = try tar("a", "b") { source in
            try Data().write(to: source.appendingPathComponent("a"))
            try FileManager.default.linkItem(
                at: source.appendingPathComponent("a"), to: source.appendingPathComponent("b"))
        }
        #expect(try open("ana.tar.gz", data).problem == LocalizableMessage(.archiveHasLink, "b"))
    }

    @Test("that would unpack to more than a submission may have is not opened", .needs(.unzip))
    func bomb() throws {
        let tree = try open(zip: .init(name: "Map.swift", content: Data("x".utf8), claimedBytes: 3 << 30))
        #expect(tree.problem?.key == .archiveTooLarge)
    }

    @Test("with more entries than a submission may have is not opened", .needs(.unzip))
    func tooMany() throws {
        var small = reader
        small.limits.entries = 10
        let members = (0..<11).map { ZipFile.Member(name: "\($0)") }
        let file = folder.appendingPathComponent("many.zip")
        try ZipFile(members: members).data().write(to: file)
        let result = small.list(file.path, .zip, entry: "many.zip")
        #expect(result == .failure(Rejection(LocalizableMessage(.archiveTooManyEntries, "11", "10"))))
    }

    @Test("does not give a file that is too large")
    func lies() throws {
        let data = try tar("Map.swift") { source in
            try Data(count: 2 << 20).write(to: source.appendingPathComponent("Map.swift"))
        }
        let tree = try open("ana.tar.gz", data)
        #expect(throws: Rejection.self) { try self.text(tree) }
    }

    @Test("that is not a zip archive is reported", .needs(.unzip), arguments: ["not an archive, really", ""])
    func unreadable(text: String) throws {
        #expect(try open("ana.zip", Data(text.utf8)).problem?.key == .archiveUnreadable)
    }

    @Test("that is not a tar archive is reported", arguments: ["not an archive, really", ""])
    func tarUnreadable(text: String) throws {
        #expect(try open("ana.tar.gz", Data(text.utf8)).problem?.key == .archiveUnreadable)
    }
}

@Suite("The archive of a class", .needs(.unzip))
struct ClassArchiveTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        try FileManager.default.createDirectory(at: scratch("class"), withIntermediateDirectories: true)
    }

    private func unpacked(_ paths: [String]) throws -> ClassFiles {
        let archive = scratch("class.zip")
        try ZipFile(members: paths.map { .init(name: $0, content: Data($0.utf8)) }).data().write(to: archive)
        let reader = ArchiveReader(sandbox: try? Sandbox.probe(), limits: .wholeClass)
        return ClassFiles(try reader.unpack(archive, .zip, into: scratch("class")))
    }

    private func content(_ path: String, of files: ClassFiles) throws -> String {
        try String(contentsOfFile: files.place(of: path), encoding: .utf8)
    }

    @Test("gives each file under its own name, also if the name is longer than any disk allows")
    func longName() throws {
        let long = String(repeating: "\u{E01}", count: 75) + "_3_assignsubmission_file_FirstValue.swift"
        let paths = [long, "Jane_1_assignsubmission_file_/\(long)", "Jane_1_assignsubmission_file_/a/FirstValue.swift"]
        let files = try unpacked(paths)
        #expect(files.entries().map(\.name) == ["Jane_1_assignsubmission_file_", long])
        #expect(files.entries().map(\.kind) == [.folder, .file])
        #expect(files.entries(in: "Jane_1_assignsubmission_file_").map(\.name) == ["a", long])
        for path in paths { #expect(try content(path, of: files) == path) }
        #expect(files.leftOut.isEmpty)
    }

    @Test("gives all other files if one file's path leads elsewhere, is there twice or is too long")
    func leftOut() throws {
        let long = "class/eve/" + String(repeating: "x", count: 5000)
        let wrong: [(String?, String)] = [
            ("eve", "class/eve/../bob/FirstValue.swift"), ("eve", "class/eve/notes\\..\\todo.txt"),
            ("eve", "class/eve/FirstValue.swift"), ("eve", "class/eve/FirstValue.swift/inner"), ("eve", long),
            (nil, "../FirstValue.swift"), (nil, "/tmp/FirstValue.swift"), (nil, "c:/FirstValue.swift"),
            (nil, "class/../FirstValue.swift"),
        ]
        let right = ["class/eve/FirstValue.swift", "class/bob/FirstValue.swift"]
        let files = try unpacked(right + wrong.map(\.1)).inner("class")
        #expect(files.entries().map(\.name) == ["bob", "eve"])
        for path in right { #expect(try content(String(path.dropFirst(6)), of: files) == path) }
        #expect(files.leftOut.map(\.entry) == wrong.map(\.0))
        let paths = wrong.map { $0.1.replacing("\\", with: "/") }
        #expect(zip(files.leftOut, paths).allSatisfy { $1.hasPrefix($0.path) })
        // Nothing is there under another path.
        for path in ["../FirstValue.swift", "bob", "eve/inner", ""] {
            #expect(throws: (any Error).self) { try content(path, of: files) }
        }
    }
}
