import Foundation
import Workbook

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A submission's bytes, read once; everything after looks at these and never at the file again.
struct SourceFile: Sendable, Equatable {
    var bytes: [UInt8]

    /// Reads a regular file of text, within a limit. A link, a pipe, a folder or a device is not followed or waited for.
    static func read(_ url: URL, limit: Int) -> Result<SourceFile, Rejection> {
        let path = url.path
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let isLink = errno == ELOOP || errno == EMLINK
            return .failure(
                Rejection(LocalizableMessage(isLink || errno == ENXIO ? .fileNotRegular : .fileMissing, path)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(Rejection(LocalizableMessage(.fileNotRegular, path)))
        }
        guard status.st_size <= limit else {
            return .failure(Rejection(LocalizableMessage(.fileTooLarge, "\(status.st_size)", "\(limit)")))
        }
        // One byte more than allowed is asked for, in case the file grows while it is read.
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < bytes.count {
            let read = bytes[count...].withUnsafeMutableBytes { Self.readOnce(descriptor, $0) }
            if read < 0, errno == EINTR { continue }
            if read <= 0 { break }
            count += read
        }
        guard count <= limit else {
            return .failure(Rejection(LocalizableMessage(.fileTooLarge, "\(count)", "\(limit)")))
        }
        bytes.removeLast(bytes.count - count)
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
            return .failure(Rejection(LocalizableMessage(.fileNotText)))
        }
        return .success(SourceFile(bytes: bytes))
    }

    private static func readOnce(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #else
        Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }
}

/// Why a submission is not graded.
struct Rejection: Error, Equatable {
    var message: LocalizableMessage
    /// Where in the submission, from 1; 0 where the whole file is meant.
    var line = 0
    var column = 0

    init(_ message: LocalizableMessage, line: Int = 0, column: Int = 0) {
        self.message = message
        self.line = line
        self.column = column
    }
}
