import Foundation

/// The file that remembers one person's work, safe from a kill at any moment, a full disk, and other graders.
///
/// Each change is made to what the file holds at that moment, under a lock; the new text is written beside it, flushed,
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
        // A folder is no damaged file: somebody named it, and it stays where it is.
        if status.st_mode & S_IFMT == S_IFDIR { throw Problem.unusable(path: file.path, .isFolder) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.sizeLimit
        else { throw Damaged() }
        var data = Data()
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while data.count <= Self.sizeLimit {
            let count = chunk.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Problem.unusable(path: file.path, SystemFailure(errno)) }
            if count == 0 { break }
            data.append(contentsOf: chunk[..<count])
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

    /// Keeps a file that cannot be read beside, under a name that says when.
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
        // One name is enough under the lock, and what a killed grader left there is simply written over.
        let new = file.path + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .unusable(path: file.path, SystemFailure(errno)) }
        var failure: Int32 = Self.writeAll(data, to: descriptor)
        if failure == 0, fsync(descriptor) != 0 { failure = errno }
        if close(descriptor) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(new, file.path) != 0 { failure = errno }
        guard failure == 0 else {
            unlink(new)
            throw .unusable(path: file.path, SystemFailure(failure))
        }
        // The rename lasts once its folder is on the disk; some file systems cannot be told so, and the file is whole anyway.
        let folder = open(file.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }

    private static func writeAll(_ data: Data, to descriptor: Int32) -> Int32 {
        data.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { return errno }
                written += count
            }
            return 0
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

/// Why the system refused a file operation, as far as a person can act on it.
public enum SystemFailure: Error, Sendable, Equatable {
    case notPermitted
    case readOnlyFileSystem
    case diskFull
    case noSuchFile
    case isFolder
    case other(code: Int32)

    public init(_ code: Int32) {
        switch code {
        case EACCES, EPERM: self = .notPermitted
        case EROFS: self = .readOnlyFileSystem
        case ENOSPC, EDQUOT: self = .diskFull
        case ENOENT, ENOTDIR: self = .noSuchFile
        case EISDIR: self = .isFolder
        default: self = .other(code: code)
        }
    }

    /// What Foundation reports of a file operation.
    public init(_ error: any Error) {
        let error = error as NSError
        if let code = (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code {
            self.init(Int32(truncatingIfNeeded: code))
        } else if error.domain == NSPOSIXErrorDomain {
            self.init(Int32(truncatingIfNeeded: error.code))
        } else {
            switch CocoaError.Code(rawValue: error.code) {
            case .fileWriteNoPermission, .fileReadNoPermission: self = .notPermitted
            case .fileWriteVolumeReadOnly: self = .readOnlyFileSystem
            case .fileWriteOutOfSpace: self = .diskFull
            case .fileNoSuchFile, .fileReadNoSuchFile: self = .noSuchFile
            default: self = .other(code: EIO)
            }
        }
    }
}
