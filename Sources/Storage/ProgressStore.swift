import Foundation
import Workbook

/// The file that remembers one person's work, safe from a kill at any moment, a full disk, and other graders.
///
/// Each change is made to what the file holds at that moment, under a lock; the new text is written next to it, flushed,
/// and renamed over it. So the file is always whole, and eight graders at once lose nothing of each other's.
public struct ProgressStore: Sendable, Equatable {
    public let file: URL

    public init(file: URL) {
        // A link is followed once, so that the rename replaces what it points at and not the link.
        self.file = file.resolvingSymlinksInPath()
    }

    /// What the file held.
    public struct Contents: Sendable, Equatable {
        public var progress: LearnerProgress
        /// Where a file that could not be read was kept, when there was one.
        public var damagedFileKeptAt: URL?

        public init(progress: LearnerProgress = LearnerProgress(), damagedFileKeptAt: URL? = nil) {
            self.progress = progress
            self.damagedFileKeptAt = damagedFileKeptAt
        }
    }

    /// Why the file cannot be read or written.
    public enum Problem: Error, Sendable, Equatable {
        /// A newer program wrote it: it is left as it is.
        case writtenByNewerProgram(schema: Int)
        /// The file, or the folder that it is in, cannot be used.
        case unusable(path: String, SystemFailure)
    }

    /// What the file holds now: nothing yet, when there is none.
    public func load() throws(Problem) -> Contents {
        do {
            return Contents(progress: try read() ?? LearnerProgress())
        } catch let problem as Problem {
            throw problem
        } catch {
            return try withLock { () throws(Problem) in try readOrSetAside() }
        }
    }

    /// Makes `change` to what the file holds at this moment, and returns what it holds then.
    @discardableResult
    public func update(_ change: (inout LearnerProgress) -> Void) throws(Problem) -> Contents {
        try withLock { () throws(Problem) in
            var contents = try readOrSetAside()
            let before = contents.progress
            change(&contents.progress)
            if contents.progress != before { try write(contents.progress) }
            return contents
        }
    }

    // MARK: - Reading

    /// More than a workbook of a thousand katas would take.
    private static let sizeLimit = 16 << 20

    private struct Damaged: Error {}

    private func read() throws -> LearnerProgress? {
        // Not to block on a FIFO that stands in the file's place.
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP || errno == ENXIO { throw Damaged() }
            throw Problem.unusable(path: file.path, SystemFailure(errno))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Damaged() }
        // A folder is not a damaged file. It was named on purpose, and stays where it is.
        if status.st_mode & S_IFMT == S_IFDIR { throw Problem.unusable(path: file.path, .isFolder) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.sizeLimit
        else { throw Damaged() }
        let data: Data
        do throws(SystemFailure) {
            data = Data(try Descriptor(descriptor).readAll(limit: Self.sizeLimit))
        } catch {
            throw Problem.unusable(path: file.path, error)
        }
        do {
            return try Self.decoder.decode(LearnerProgress.self, from: data)
        } catch let newer as LearnerProgress.IsNewer {
            throw Problem.writtenByNewerProgram(schema: newer.schema)
        } catch {
            throw Damaged()
        }
    }

    private func readOrSetAside() throws(Problem) -> Contents {
        do {
            return Contents(progress: try read() ?? LearnerProgress())
        } catch let problem as Problem {
            throw problem
        } catch {
            return Contents(progress: LearnerProgress(), damagedFileKeptAt: try setAside())
        }
    }

    /// Keeps a file that cannot be read next to the new one, under a name with the time.
    private func setAside() throws(Problem) -> URL {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withYear, .withMonth, .withDay, .withTime]
        let time = formatter.string(from: Date())
        for attempt in 1...1_000 {
            let suffix = attempt == 1 ? "" : "-\(attempt)"
            let kept = file.deletingLastPathComponent()
                .appendingPathComponent("\(file.lastPathComponent).damaged-\(time)\(suffix)", isDirectory: false)
            var status = stat()
            if lstat(kept.path, &status) == 0 { continue }
            guard rename(file.path, kept.path) == 0 else { break }
            return kept
        }
        throw .unusable(path: file.path, SystemFailure(errno))
    }

    // MARK: - Writing

    private func write(_ progress: LearnerProgress) throws(Problem) {
        guard var data = try? Self.encoder.encode(progress) else {
            throw .unusable(path: file.path, SystemFailure(EINVAL))
        }
        data.append(0x0A)
        do throws(SystemFailure) {
            // The name of the new file is enough under the lock.
            try Descriptor.replace(file, with: data, mode: 0o644)
        } catch {
            throw .unusable(path: file.path, error)
        }
    }

    // MARK: - The lock

    private func withLock<Result>(_ body: () throws(Problem) -> Result) throws(Problem) -> Result {
        let folder = file.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw .unusable(path: folder.path, SystemFailure(error))
        }
        // Beside the file and never renamed or removed, or two graders would lock two files.
        let descriptor = open(file.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw .unusable(path: file.path, SystemFailure(errno)) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .unusable(path: file.path, SystemFailure(errno)) }
        }
        return try body()
    }

    // MARK: - The form

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
