import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that only grows: a line an entry, with the digest of the entry before it, on the disk before the program goes on.
///
/// A line that a kill cut short, or that was changed since, is known for what it is. One program at a time writes.
public final class AppendOnlyLog {
    public enum Problem: Error, Sendable, Equatable {
        /// Another program writes to the file.
        case busy
        case unusable(path: String, SystemFailure)
    }

    /// What stands between two line ends.
    public struct Line: Sendable, Equatable {
        /// Where it lies in the file, its end included.
        public var range: Range<Int>
        /// The entry; `nil` where the line is not as it was written.
        public var entry: Data?
    }

    private var descriptor: Int32
    private let path: String
    private let isPrivate: Bool
    /// Where the next line goes.
    public private(set) var end: Int
    /// The bytes that were written last, before `end`.
    private var lastWritten: [UInt8] = []

    /// Opens a file, or begins one.
    ///
    /// - Parameter isPrivate: whether only the file's owner may read it.
    public init(_ file: URL, isPrivate: Bool = false) throws(Problem) {
        path = file.path
        self.isPrivate = isPrivate
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
        guard descriptor >= 0 else { throw .unusable(path: path, SystemFailure(errno)) }
        // A lock that the process's children don't share, however it ends; and one that clusters' file systems know.
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        var status = stat()
        guard fcntl(descriptor, F_SETLK, &lock) == 0 else {
            close(descriptor)
            throw .busy
        }
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw .unusable(path: path, SystemFailure(code))
        }
        // It may be older than the wish. Where it is another person's, only they can do that.
        if isPrivate, status.st_mode & 0o077 != 0 { _ = fchmod(descriptor, 0o600) }
        end = Int(status.st_size)
        // A new file lasts once the folders that name it are on the disk.
        if end == 0 {
            let folder = file.deletingLastPathComponent()
            for folder in [folder, folder.deletingLastPathComponent()] { Descriptor.synchronize(folder) }
        }
    }

    deinit { close(descriptor) }

    /// Adds an entry, which is one line of text, and tells where it lies. When this returns, it is on the disk.
    @discardableResult
    public func append(_ entry: Data) throws(Problem) -> Range<Int> {
        try write([UInt8](Self.line(entry)))
    }

    /// Whether the file is where it was, and ends with what was written last. Only another program can change that.
    public var isAsLeft: Bool {
        var own = stat()
        var named = stat()
        guard stat(path, &named) == 0 else { return errno != ENOENT && errno != ENOTDIR }
        return fstat(descriptor, &own) == 0 && own.st_dev == named.st_dev && own.st_ino == named.st_ino
            && own.st_size >= end && bytes(end - lastWritten.count..<end) == lastWritten
    }

    /// Writes the file again as a whole: one that is not as it was left. What is in its place is kept next to it.
    public func rewrite(_ entries: [Data]) throws(Problem) {
        let new = URL(fileURLWithPath: path + ".new")
        unlink(new.path)
        let written = try AppendOnlyLog(new, isPrivate: isPrivate)
        _ = try written.write(entries.flatMap(Self.line))
        try setAside()
        guard rename(new.path, path) == 0 else { throw .unusable(path: path, SystemFailure(errno)) }
        Descriptor.synchronize(new.deletingLastPathComponent())
        swap(&descriptor, &written.descriptor)
        (end, lastWritten) = (written.end, written.lastWritten)
    }

    /// Gives what is in the file's place a name of its own.
    private func setAside() throws(Problem) {
        var status = stat()
        var kept = path + ".changed"
        var count = 1
        while lstat(kept, &status) == 0 {
            count += 1
            kept = path + ".changed-\(count)"
        }
        guard rename(path, kept) == 0 || errno == ENOENT else { throw .unusable(path: path, SystemFailure(errno)) }
    }

    /// Forgets what begins at `offset` and all that follows.
    public func truncate(at offset: Int) throws(Problem) {
        guard ftruncate(descriptor, off_t(offset)) == 0 else { throw .unusable(path: path, SystemFailure(errno)) }
        end = offset
    }

    /// Ends a line that was cut short, so that the next entry stands on one of its own.
    public func endLastLine() throws(Problem) {
        guard end > 0, bytes(end - 1..<end) != [UInt8(ascii: "\n")] else { return }
        _ = try write([UInt8(ascii: "\n")])
    }

    /// The entry in a range; `nil` where there is none any more.
    public func entry(at range: Range<Int>) -> Data? { Self.entry(of: bytes(range)) }

    /// Tells each line from the first one on, until `each` has heard enough.
    public func read(_ each: (Line) -> Bool) { Self.read(descriptor, each) }

    /// Reads the lines of a file that another process may be writing.
    public static func read(_ file: URL, _ each: (Line) -> Bool) throws(Problem) {
        // Not to block on a FIFO that stands in the file's place.
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unusable(path: file.path, SystemFailure(errno)) }
        defer { close(descriptor) }
        read(descriptor, each)
    }

    /// Whether another process writes to the file; `nil` where its file system does not tell.
    public static func isBeingWritten(_ file: URL) -> Bool? {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        guard fcntl(descriptor, F_GETLK, &lock) == 0 else { return nil }
        return lock.l_type != Int16(F_UNLCK)
    }

    // MARK: - Bytes

    private func write(_ bytes: [UInt8]) throws(Problem) -> Range<Int> {
        do throws(SystemFailure) {
            try Descriptor(descriptor).write(bytes, at: end)
        } catch {
            // A half-written entry must not stand before the next one.
            _ = ftruncate(descriptor, off_t(end))
            throw .unusable(path: path, error)
        }
        #if canImport(Darwin)
        let isKept = fsync(descriptor) == 0
        #else
        let isKept = fdatasync(descriptor) == 0
        #endif
        guard isKept else { throw .unusable(path: path, SystemFailure(errno)) }
        defer {
            end += bytes.count
            lastWritten = bytes
        }
        return end..<end + bytes.count
    }

    private static func line(_ entry: Data) -> Data {
        Data((SHA256.digest(of: entry).hex.prefix(16) + " ").utf8) + entry + Data("\n".utf8)
    }

    private func bytes(_ range: Range<Int>) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        let count = bytes.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, $0.count, off_t(range.lowerBound))
        }
        return count == range.count ? bytes : []
    }

    private static func entry(of bytes: some RandomAccessCollection<UInt8>) -> Data? {
        let line = bytes.dropLast()
        guard line.count > 17, bytes.last == UInt8(ascii: "\n") else { return nil }
        guard line.dropFirst(16).first == UInt8(ascii: " ") else { return nil }
        let entry = Data(line.dropFirst(17))
        return SHA256.digest(of: entry).hex.utf8.prefix(16).elementsEqual(line.prefix(16)) ? entry : nil
    }

    /// Piece by piece: a file of any size takes little memory.
    private static func read(_ descriptor: Int32, _ each: (Line) -> Bool) {
        var pending: [UInt8] = []
        var start = 0
        var position = 0
        while true {
            let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, initialized in
                initialized = max(0, pread(descriptor, buffer.baseAddress, 1 << 20, off_t(position)))
            }
            if chunk.isEmpty { break }
            position += chunk.count
            pending += chunk
            var index = pending.startIndex
            while let newline = pending[index...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = pending[index...newline]
                guard each(Line(range: start..<start + line.count, entry: entry(of: line))) else { return }
                start += line.count
                index = newline + 1
            }
            pending.removeFirst(index)
        }
        // It does not end with a line break, so it is not an entry.
        if !pending.isEmpty { _ = each(Line(range: start..<position, entry: nil)) }
    }
}
