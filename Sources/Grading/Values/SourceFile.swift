import Foundation
import Workbook

extension LocalizableMessage.Key {
    /// Whether it says that a file cannot be read, and names its place.
    var isAboutFile: Bool { [.fileMissing, .fileNotRegular, .fileIsLink, .fileUnreadable].contains(self) }
}

/// A submission's bytes, read once; everything after looks at these and never at the file again.
struct SourceFile: Sendable, Equatable {
    var bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads a regular file of text, within a limit. A link, a pipe, a folder or a device is not followed or waited for.
    init(reading url: URL, limit: Int) throws(Rejection) {
        let path = url.path
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let key: LocalizableMessage.Key =
                switch errno {
                case ELOOP, EMLINK: .fileIsLink
                case ENXIO: .fileNotRegular
                case EACCES, EPERM: .fileUnreadable
                default: .fileMissing
                }
            throw Rejection(LocalizableMessage(key, path))
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Rejection(LocalizableMessage(.fileNotRegular, path))
        }
        guard status.st_size <= limit else {
            throw Rejection(LocalizableMessage(.fileTooLarge, "\(status.st_size)", "\(limit)"))
        }
        // One byte more than allowed is asked for, in case the file grows while it is read.
        guard let data = try? file.read(upToCount: limit + 1) ?? Data() else {
            throw Rejection(LocalizableMessage(.fileMissing, path))
        }
        try self.init([UInt8](data), limit: limit)
    }

    /// Takes text, within a limit.
    init(_ bytes: [UInt8], limit: Int) throws(Rejection) {
        guard bytes.count <= limit else {
            throw Rejection(LocalizableMessage(.fileTooLarge, "\(bytes.count)", "\(limit)"))
        }
        self.bytes = bytes
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
            throw Rejection(LocalizableMessage(.fileNotText))
        }
    }
}
