import Foundation
import Workbook

/// The record of a graded class or shard in its report's folder: a line for the header, then a line a learner, by name.
///
/// It speaks no language, so that shards are joined, and a report written again, in any.
public enum ClassRecordFile {
    static let name = ".record"

    /// Reads a record a learner at a time.
    public struct Reader: Sequence, IteratorProtocol {
        public let header: ClassHeader
        public let folder: URL
        private let lines: LineReader

        public init(_ folder: URL) throws(GradingError) {
            self.folder = folder
            let file = folder.appendingPathComponent(ClassRecordFile.name)
            guard let lines = LineReader(file.path) else {
                throw GradingError(.noClassRecord, folder.path, errorText(errno))
            }
            do {
                header = try JSONDecoder().decode(ClassHeader.self, from: Data(lines.next() ?? []))
            } catch {
                throw GradingError(.noClassRecord, folder.path, "\(ClassRecordFile.name): \(error)")
            }
            self.lines = lines
        }

        public mutating func next() -> LearnerRecord? {
            lines.next().flatMap { try? JSONDecoder().decode(LearnerRecord.self, from: Data($0)) }
        }
    }

    /// Writes a record next to the old one, and replaces that when it is complete.
    final class Writer {
        private let draft: URL
        private let url: URL
        private let file: FileHandle

        init(_ folder: URL, _ header: ClassHeader) throws {
            url = folder.appendingPathComponent(ClassRecordFile.name)
            draft = folder.appendingPathComponent(ClassRecordFile.name + ".draft")
            try Data().write(to: draft)
            file = try FileHandle(forWritingTo: draft)
            try write(header)
        }

        func add(_ record: LearnerRecord) throws { try write(record) }

        func finish() throws {
            try file.synchronize()
            try file.close()
            guard rename(draft.path, url.path) == 0 else {
                throw GradingError(.folderNotWritable, url.path, "\(errno)")
            }
        }

        private func write(_ value: some Encodable) throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            try file.write(contentsOf: encoder.encode(value) + Data("\n".utf8))
        }
    }

    /// Joins the records of all shards of one class, learner by learner, in the order of their names.
    public static func merge(
        _ folders: [URL], each: (LearnerRecord) throws -> Void, header: (ClassHeader) throws -> Void
    ) throws {
        var readers = try folders.map { try Reader($0) }
        try header(joined(readers.map { ($0.header, $0.folder.path) }))
        var heads = readers.indices.map { readers[$0].next() }
        while let first = heads.indices.filter({ heads[$0] != nil }).min(by: { left, right in
            (heads[left]?.learner ?? "") < (heads[right]?.learner ?? "")
        }), let record = heads[first] {
            try each(record)
            heads[first] = readers[first].next()
        }
    }

    /// The header of the whole class, if these are all of its shards, each once, and graded alike.
    static func joined(_ shards: [(header: ClassHeader, folder: String)]) throws(GradingError) -> ClassHeader {
        guard let first = shards.first else { throw GradingError(.shardsMissing, "1/1") }
        var seen: [Shard: String] = [:]
        let whole = Shard(index: 1, count: 1)
        for (header, folder) in shards {
            // Before anything else: to grade it again would not help.
            if let shard = header.shard ?? whole {
                if let other = seen[shard] { throw GradingError(.shardTwice, "\(shard)", other, folder) }
                seen[shard] = folder
            }
            var alike = header
            alike.shard = first.header.shard
            let count = header.shard?.count ?? 1
            if header.seed != first.header.seed {
                let seeds = [first.header.seed, header.seed].map(String.init)
                throw GradingError(.shardSeedsDiffer, first.folder, folder, seeds[0], seeds[1])
            }
            guard alike == first.header, count == first.header.shard?.count ?? 1 else {
                throw GradingError(.shardsDiffer, first.folder, folder)
            }
        }
        let count = first.header.shard?.count ?? 1
        let missing = (1...count).compactMap { Shard(index: $0, count: count) }.filter { seen[$0] == nil }
        guard missing.isEmpty else {
            throw GradingError(.shardsMissing, missing.map(\.description).joined(separator: ", "))
        }
        var header = first.header
        header.shard = nil
        return header
    }
}

/// The lines of a file, one at a time.
private final class LineReader {
    private let file: UnsafeMutablePointer<FILE>

    init?(_ path: String) {
        guard let file = fopen(path, "re") else { return nil }
        self.file = file
    }

    deinit { fclose(file) }

    func next() -> [UInt8]? {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        let count = getline(&line, &capacity, file)
        guard count > 0, let line else { return nil }
        return UnsafeRawBufferPointer(start: line, count: count).filter { $0 != UInt8(ascii: "\n") }
    }
}
