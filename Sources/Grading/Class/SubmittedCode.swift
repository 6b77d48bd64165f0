import Foundation
import Storage
import Workbook

/// The files that were graded, as they were submitted: in the report's folder, each once, under the digest of its bytes.
///
/// They are kept so that a report can show them, also where nothing is graded anew and where shards are merged.
public struct SubmittedCode: Sendable {
    private let folders: [URL]

    /// - Parameter reports: the folders of the reports for which the files were kept.
    public init(of reports: [URL]) {
        folders = reports.map { $0.appendingPathComponent(".code") }
    }

    /// Each kata's file, as far as it was kept.
    public func texts(of record: LearnerRecord) -> [String: String] {
        var texts: [String: String] = [:]
        for kata in record.katas { texts[kata.verdict.kata] = kata.digest.flatMap(text) }
        return texts
    }

    /// The file of a digest, if it was kept.
    public func text(_ digest: String) -> String? {
        for folder in folders {
            let file = folder.appendingPathComponent(digest)
            // What is shown next to a verdict is what the verdict is on, or nothing.
            if let source = try? SourceFile(reading: file, limit: Limits().sourceBytes),
                SHA256.digest(of: source.bytes).hex == digest
            {
                return source.text
            }
        }
        return nil
    }

    /// Keeps a file. Where that fails, the report says that it was not kept: no verdict depends on it.
    func keep(_ bytes: [UInt8], digest: String) {
        for folder in folders {
            let file = folder.appendingPathComponent(digest)
            let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
            if size == bytes.count { continue }
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try? Data(bytes).write(to: file, options: .atomic)
        }
    }

    /// Removes what belongs to no learner any more.
    func keepOnly(_ digests: Set<String>) {
        for folder in folders {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for name in names where !digests.contains(name) {
                try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            }
        }
    }
}
