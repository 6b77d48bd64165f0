import Foundation
import TestSupport
import Testing
import Workbook

@testable import Grading

@Suite("What can be in place of a submission's file", .grades)
struct SubmittedFileTests {
    static func rejection(_ make: (URL) throws -> Void) throws -> LocalizableMessage.Key? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("file-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Tally.swift")
        try make(file)
        do throws(Rejection) {
            _ = try SourceFile(reading: file, limit: 1 << 20)
            return nil
        } catch {
            return error.message.key
        }
    }

    @Test("A text is read without a change")
    func text() throws { #expect(try Self.rejection { try Data("let a = \"한\"\r\n".utf8).write(to: $0) } == nil) }

    @Test("No file")
    func missing() throws { #expect(try Self.rejection { _ in } == .fileMissing) }

    @Test("A file of fifty megabytes")
    func large() throws {
        #expect(
            try Self.rejection { file in
                try Data().write(to: file)
                let handle = try FileHandle(forWritingTo: file)
                try handle.truncate(atOffset: 50 << 20)
                try handle.close()
            } == .fileTooLarge)
    }

    @Test("A file of NUL bytes")
    func nul() throws { #expect(try Self.rejection { try Data(count: 100).write(to: $0) } == .fileNotText) }

    @Test("Bytes that are not UTF-8")
    func notText() throws {
        #expect(try Self.rejection { try Data([0x61, 0xFF, 0xC3]).write(to: $0) } == .fileNotText)
    }

    @Test("A symbolic link, even to a correct file")
    func link() throws {
        #expect(
            try Self.rejection { file in
                let other = file.deletingLastPathComponent().appendingPathComponent("other")
                try Data("let a = 1".utf8).write(to: other)
                try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
            } == .fileIsLink)
    }

    @Test("A named pipe, which would never end")
    func pipe() throws {
        let key = try Self.rejection { file in try #require(mkfifo(file.path, 0o600) == 0) }
        #expect(key == .fileNotRegular)
    }

    @Test("A folder")
    func folder() throws {
        #expect(
            try Self.rejection { try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: false) }
                == .fileNotRegular)
    }

    @Test("A file that cannot be read is rejected before anything is started")
    func verdict() async throws {
        let verdict = try await FixtureWorkbook.grade(Data([0]))
        #expect(verdict.outcome == .rejected)
        #expect(verdict.diagnostics.map(\.message.key) == [.fileNotText])
        #expect(verdict.tests.map(\.outcome) == Array(repeating: .notRun, count: 6))
    }
}
