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
}
