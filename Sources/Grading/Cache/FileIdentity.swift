import Foundation

/// Which file, and which state of it, as far as a look at its folder entry tells.
struct FileIdentity: Hashable, CustomStringConvertible {
    var path: String
    var size: Int
    var modified: String

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.path = path
        size = Int(status.st_size)
        #if canImport(Darwin)
        modified = "\(status.st_mtimespec.tv_sec).\(status.st_mtimespec.tv_nsec)"
        #else
        modified = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        #endif
    }

    var description: String { "\(path) \(size) \(modified)" }
}
