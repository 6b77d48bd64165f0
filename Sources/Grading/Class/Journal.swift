import Foundation
import Workbook

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What was decided, each decision under the digest of all that it follows from, kept so that no kill loses one.
///
/// A file that only grows: a line a decision, with the digest of the line before it, on the disk before the grader goes
/// on. A line that a kill cut short is not a decision; it is cut off when the journal is opened again. Only where each
/// decision lies is held in memory, so that a class of any size needs little of it.
final class Journal {
    private let descriptor: Int32
    private var places: [String: Range<Int>] = [:]
    private var end = 0

    private struct Line: Codable {
        var key: String
        var verdict: Verdict
    }

    /// Opens a journal, or begins one. One grader at a time writes to it.
    init(_ folder: URL) throws(GradingError) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw GradingError(.folderNotWritable, folder.path, error.localizedDescription)
        }
        let path = folder.appendingPathComponent("decisions").path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw GradingError(.folderNotWritable, folder.path, errorText(errno)) }
        // A lock that the process's children don't share, however it ends; and one that clusters' file systems know.
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        guard fcntl(descriptor, F_SETLK, &lock) == 0 else {
            close(descriptor)
            throw GradingError(.reportBusy, folder.deletingLastPathComponent().path)
        }
        readAll()
        if ftruncate(descriptor, off_t(end)) != 0 { throw GradingError(.folderNotWritable, path, errorText(errno)) }
    }

    deinit { close(descriptor) }

    var count: Int { places.count }

    func contains(_ key: String) -> Bool { places[key] != nil }

    /// Keeps a decision. When this returns, it is on the disk.
    func keep(_ verdict: Verdict, for key: String) throws(GradingError) {
        guard places[key] == nil else { return }
        do {
            let body = try JSONEncoder().encode(Line(key: key, verdict: verdict))
            let line = Data((SHA256.digest(of: body).hex.prefix(16) + " ").utf8) + body + Data("\n".utf8)
            try append([UInt8](line))
            places[key] = end..<end + line.count
            end += line.count
        } catch let error as GradingError {
            throw error
        } catch {
            throw GradingError(.programFailed, "journal", "\(error)")
        }
    }

    func verdict(for key: String) -> Verdict? {
        guard let place = places[key] else { return nil }
        return Self.line(read(place))?.verdict
    }

    private func append(_ bytes: [UInt8]) throws(GradingError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(end + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let reason = errorText(errno)
                // What was half written is no decision, and must not stand before the next one.
                _ = ftruncate(descriptor, off_t(end))
                throw GradingError(.folderNotWritable, "decisions", reason)
            }
            written += count
        }
        guard fdatasync(descriptor) == 0 else { throw GradingError(.folderNotWritable, "decisions", errorText(errno)) }
    }

    private func read(_ place: Range<Int>) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: place.count)
        let count = bytes.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, $0.count, off_t(place.lowerBound))
        }
        return count == place.count ? bytes : []
    }

    private static func line(_ bytes: [UInt8]) -> Line? {
        guard bytes.count > 18, bytes[16] == UInt8(ascii: " "), bytes.last == UInt8(ascii: "\n") else { return nil }
        let body = bytes[17..<bytes.count - 1]
        guard SHA256.digest(of: body).hex.utf8.prefix(16).elementsEqual(bytes[..<16]) else { return nil }
        return try? JSONDecoder().decode(Line.self, from: Data(body))
    }

    /// Reads the journal piece by piece up to its first line that is no whole decision.
    private func readAll() {
        var pending: [UInt8] = []
        var position = 0
        while true {
            let chunk = read(upTo: 1 << 20, at: position)
            guard !chunk.isEmpty else { return }
            position += chunk.count
            pending += chunk
            var start = pending.startIndex
            while let newline = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let bytes = Array(pending[start...newline])
                guard let line = Self.line(bytes) else { return }
                places[line.key] = end..<end + bytes.count
                end += bytes.count
                start = newline + 1
            }
            pending.removeFirst(start)
        }
    }

    private func read(upTo count: Int, at position: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = max(0, pread(descriptor, buffer.baseAddress, count, off_t(position)))
        }
    }
}
