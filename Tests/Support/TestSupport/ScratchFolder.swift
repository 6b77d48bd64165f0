import Foundation

/// A folder of one test, removed with it.
public final class ScratchFolder: Sendable {
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("katas-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    public func callAsFunction(_ path: String) -> URL { url.appendingPathComponent(path) }

    public func names(in path: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path.isEmpty ? url.path : self(path).path).sorted()
    }

    /// Adds a program of a few lines of shell.
    ///
    /// Another process writes it. What this process writes is inherited by each process that it starts at that moment, and
    /// the kernel starts no program that a process still has open for writing.
    @discardableResult
    public func addProgram(_ path: String, _ script: String) async throws -> URL {
        let (draft, program) = (self(path + ".draft"), self(path))
        try FileManager.default.createDirectory(
            at: program.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: draft)
        let install = try await Program.run(["/usr/bin/install", "-m", "755", draft.path, program.path])
        guard install.code == 0 else { throw NoProgram(text: install.text) }
        try FileManager.default.removeItem(at: draft)
        return program
    }

    private struct NoProgram: Error, CustomStringConvertible {
        var text: String
        var description: String { "Expected a program to be written: \(text)" }
    }
}
