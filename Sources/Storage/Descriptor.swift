import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An open file, pipe or terminal, read and written whole: signals and short counts are not its users' concern.
public struct Descriptor: Sendable {
    private let number: Int32

    public init(_ number: Int32) { self.number = number }

    /// Writes all bytes: where the file stands, or at an offset.
    public func write(_ bytes: some ContiguousBytes, at offset: Int? = nil) throws(SystemFailure) {
        let code: Int32 = bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count =
                    if let offset {
                        pwrite(number, rest.baseAddress, rest.count, off_t(offset + written))
                    } else {
                        Foundation.write(number, rest.baseAddress, rest.count)
                    }
                if count > 0 {
                    written += count
                } else if count < 0, errno == EAGAIN {
                    var ready = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                    poll(&ready, 1, -1)
                } else if count == 0 || errno != EINTR {
                    return count == 0 ? EIO : errno
                }
            }
            return 0
        }
        if code != 0 { throw SystemFailure(code) }
    }

    /// Reads to the end, or to the first byte behind the limit.
    public func readAll(limit: Int) throws(SystemFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let room = min(1 << 16, limit + 1 - bytes.count)
            var code: Int32 = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
                let count = Foundation.read(number, buffer.baseAddress, room)
                code = count < 0 ? errno : 0
                initialized = max(0, count)
            }
            if code == EINTR { continue }
            if code != 0 { throw SystemFailure(code) }
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return bytes
    }

    /// Writes a file that is whole at any moment, also if another one has its name: the old one, or the new one.
    public static func replace(_ file: URL, with data: Data, mode: mode_t) throws(SystemFailure) {
        // What a killed grader left there is written over.
        let new = file.path + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw SystemFailure(errno) }
        defer { close(descriptor) }
        do throws(SystemFailure) {
            try Descriptor(descriptor).write(data)
            guard fsync(descriptor) == 0, rename(new, file.path) == 0 else { throw SystemFailure(errno) }
        } catch {
            unlink(new)
            throw error
        }
        synchronize(file.deletingLastPathComponent())
    }

    /// Puts a folder's names on the disk, so that a new or renamed file lasts. Some file systems cannot do that, and then
    /// the file is whole anyway.
    static func synchronize(_ folder: URL) {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
