import Foundation
import Storage

/// Which files of a report's folder the grader wrote, and with which bytes: `.written`, as `sha256sum` prints it.
///
/// A file that is not in it, or that was changed since, is not the grader's to remove. The list is kept before the files
/// are: after a kill it has more than there is, and never less.
struct WrittenFiles {
    private let file: URL
    private let folder: URL
    /// After a kill, a file has either the old bytes or the new ones.
    private var digests: [String: Set<String>] = [:]

    init(in folder: URL) {
        self.folder = folder
        file = folder.appendingPathComponent(".written")
        for line in ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n") {
            let parts = line.components(separatedBy: "  ")
            // A path that leads out of the folder is none that the grader wrote.
            guard parts.count > 1, !line.split(separator: "/").contains("..") else { continue }
            add(parts.dropFirst().joined(separator: "  "), digest: parts[0])
        }
    }

    var paths: [String] { digests.keys.sorted() }

    mutating func add(_ path: String, digest: String) { digests[path, default: []].insert(digest) }

    mutating func forget(_ path: String) { digests[path] = nil }

    /// Whether there is a file at this path, as the grader wrote it.
    func isUnchanged(_ path: String) -> Bool {
        let place = folder.appendingPathComponent(path)
        let attributes = try? FileManager.default.attributesOfItem(atPath: place.path)
        guard let known = digests[path], attributes?[.type] as? FileAttributeType == .typeRegular,
            let bytes = FileManager.default.contents(atPath: place.path)
        else { return false }
        return known.contains(SHA256.digest(of: bytes).hex)
    }

    func save() throws {
        let lines = paths.flatMap { path in (digests[path] ?? []).sorted().map { "\($0)  \(path)\n" } }
        try Data(lines.joined().utf8).write(to: file, options: .atomic)
    }
}
