import Foundation

/// A small library that is loaded into the grader before the C library, and that replaces some of its functions.
enum PreloadedLibrary {
    /// Compiles the library, and gives back its path.
    static func compile(_ name: String, _ source: String) async throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        // The C compiler that comes with Swift, which uses it to link programs.
        let compiler = folders.map { URL(fileURLWithPath: "\($0)/swiftc") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }?
            .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("clang")
        guard let compiler else { throw CocoaError(.fileNoSuchFile) }
        let scratch = try ScratchFolder()
        try Data(source.utf8).write(to: scratch("library.c"))
        let library = try Program.buildFolder.appendingPathComponent("\(name).so")
        let run = try await Program.run([
            compiler.path, "-shared", "-fPIC", "-O1", "-o", scratch("library.so").path, scratch("library.c").path,
        ])
        if run.code != 0 { throw NotCompiled(text: run.text) }
        if rename(scratch("library.so").path, library.path) != 0 {
            try? FileManager.default.removeItem(at: library)
            try FileManager.default.copyItem(at: scratch("library.so"), to: library)
        }
        return library.path
    }

    private struct NotCompiled: Error, CustomStringConvertible {
        var text: String
        var description: String { "Expected the library to compile: \(text)" }
    }
}
