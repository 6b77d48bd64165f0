import Foundation

/// A folder of one test, removed with it.
final class ScratchFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("katas-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func callAsFunction(_ path: String) -> URL { url.appendingPathComponent(path) }

    func names(in path: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path.isEmpty ? url.path : self(path).path).sorted()
    }
}
