#if os(Linux)
import Foundation

/// What the kernel tells of processes in `/proc`, read with as little work as possible: it is read while they run.
enum ProcessFiles {
    /// The text of a file below `/proc`; empty where the process is gone.
    static func read(_ path: String) -> String {
        let descriptor = open("/proc/\(path)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var count = 0
        repeat {
            let chunk = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, initialized in
                count = max(0, Foundation.read(descriptor, buffer.baseAddress, buffer.count))
                initialized = count
            }
            bytes += chunk
        } while count > 0
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The threads of a process, the oldest first, and no more than so many.
    static func threads(of process: pid_t, most: Int) -> [pid_t] {
        guard let folder = opendir("/proc/\(process)/task") else { return [] }
        defer { closedir(folder) }
        var threads: [pid_t] = []
        while threads.count < most, let entry = readdir(folder) {
            let number = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                name.prefix { $0 != 0 }.reduce(0 as pid_t?) { number, byte in
                    guard let number, (48...57).contains(byte) else { return nil }
                    return number &* 10 &+ pid_t(byte - 48)
                }
            }
            if let number { threads.append(number) }
        }
        return threads
    }
}
#endif
