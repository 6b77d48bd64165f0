import Foundation
import Storage
import Synchronization
import Workbook

/// Where the engine keeps what it made, each thing under the digest of all that it was made from.
///
/// Several graders may use one folder at once: a file or folder is made under another name, and moved into place when it is complete. The second one
/// throws their own away.
struct CacheFolder: Sendable, Hashable {
    let url: URL

    init(_ url: URL) {
        self.url = url.resolvingSymlinksInPath()
    }

    func path(_ kind: String, _ key: CacheKey) -> URL { url.appendingPathComponent("\(kind)-\(key.hex)") }

    /// The folder of a thing that was made already, or is made now by `make` in a folder of its own.
    func folder(
        _ kind: String, _ key: CacheKey, make: (URL) async throws(GradingError) -> Void
    ) async throws(GradingError) -> URL {
        let entry = path(kind, key)
        if access(entry.path, F_OK) == 0 {
            noteUse(of: entry)
            return entry
        }
        let draft = try newFolder("draft")
        do throws(GradingError) {
            try await make(draft)
        } catch {
            try? FileManager.default.removeItem(at: draft)
            throw error
        }
        return try keep(draft, kind, key)
    }

    /// Keeps what was compiled from being removed while it is in use (see `tidy`).
    func noteUse(of entry: URL) {
        utimes(entry.path, nil)
    }

    /// Moves a finished folder into place, unless another grader was faster: then it is thrown away.
    func keep(_ draft: URL, _ kind: String, _ key: CacheKey) throws(GradingError) -> URL {
        let entry = path(kind, key)
        if rename(draft.path, entry.path) != 0 {
            let reason = errorText(errno)
            try? FileManager.default.removeItem(at: draft)
            guard access(entry.path, F_OK) == 0 else { throw GradingError(.folderNotWritable, url.path, reason) }
        }
        return entry
    }

    /// A new empty folder, which its maker removes.
    func newFolder(_ kind: String) throws(GradingError) -> URL {
        let parent = url.appendingPathComponent("jobs")
        Self.used.withLock { _ = $0.insert(parent) }
        let folder = parent.appendingPathComponent("\(kind)-\(getpid())-\(UInt64.random(in: 0 ... .max))")
        if mkdir(folder.path, 0o755) == 0 { return folder }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw GradingError(url, notWritable: error)
        }
        return folder
    }

    /// Where this process has made folders.
    private static let used = Mutex<Set<URL>>([])

    /// Removes the folders that this process has made and not removed or kept yet, since it ends.
    static func removeUnfinished() {
        let files = FileManager.default
        for parent in used.withLock({ $0 }) {
            let names = (try? files.contentsOfDirectory(atPath: parent.path)) ?? []
            for name in names where name.contains("-\(getpid())-") {
                try? files.removeItem(at: parent.appendingPathComponent(name))
            }
        }
    }

    func read(_ kind: String, _ key: CacheKey) -> Data? {
        try? Data(contentsOf: path(kind, key))
    }

    /// Stores a small file; a cache that cannot be written is no reason to fail.
    func write(_ data: Data, _ kind: String, _ key: CacheKey) {
        let entry = path(kind, key)
        if (try? data.write(to: entry, options: .atomic)) != nil { return }
        // The first thing to be kept also makes the folder.
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try? data.write(to: entry, options: .atomic)
    }

    /// Removes what was left by graders that were killed, and beyond a bound the oldest verdicts. Other graders may be running
    /// what was compiled, however long ago: that goes once it has not been used for a week.
    func tidy(keeping limit: Int = 2000) {
        let files = FileManager.default
        let keys: [URLResourceKey] = [.contentModificationDateKey, .isDirectoryKey]
        let jobs = url.appendingPathComponent("jobs")
        for job in (try? files.contentsOfDirectory(at: jobs, includingPropertiesForKeys: keys)) ?? [] {
            let modified = (try? job.resourceValues(forKeys: [.contentModificationDateKey]))?.contentModificationDate
            if let modified, modified.timeIntervalSinceNow < -3600 { try? files.removeItem(at: job) }
        }
        let things = (try? files.contentsOfDirectory(at: url, includingPropertiesForKeys: keys)) ?? []
        guard things.count > limit else { return }
        var verdicts: [(URL, Date)] = []
        for thing in things where thing.lastPathComponent != "jobs" && thing.lastPathComponent != "modules" {
            guard let values = try? thing.resourceValues(forKeys: Set(keys)),
                let used = values.contentModificationDate
            else { continue }
            if values.isDirectory != true {
                verdicts.append((thing, used))
            } else if used.timeIntervalSinceNow < -7 * 24 * 3600 {
                try? files.removeItem(at: thing)
            }
        }
        for (verdict, _) in verdicts.sorted(by: { $0.1 < $1.1 }).dropLast(limit / 2) {
            try? files.removeItem(at: verdict)
        }
    }
}

/// The digest of everything that something is made from.
struct CacheKey: Sendable, Hashable {
    let hex: String

    /// Names and lengths are part of the digest, so that two lists of parts never run together.
    init(_ parts: KeyValuePairs<String, String>) {
        var hash = SHA256()
        for (name, value) in parts { hash.update("\(name.utf8.count):\(name)\(value.utf8.count):\(value)".utf8) }
        hex = String(hash.finalize().hex.prefix(40))
    }
}
