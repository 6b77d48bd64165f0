import Foundation
import Workbook

/// Reads archives with the system's own tools, in a sandbox where they reach nothing but the archive.
///
/// Nothing is ever unpacked to a disk: what is wanted is read from a pipe, so that a path in an archive leads nowhere.
struct ArchiveReader: Sendable {
    var sandbox: Sandbox?
    var limits = IntakeLimits()

    /// What the archive says that it holds, if it may be opened at all.
    ///
    /// - Parameter isClass: whether it holds several learners' files.
    func list(
        _ archive: String, _ format: ArchiveFormat, entry: String, isClass: Bool = false
    ) -> Result<ArchiveListing, Rejection> {
        let size = (try? FileManager.default.attributesOfItem(atPath: archive)[.size] as? Int) ?? 0
        guard size <= limits.archiveBytes else {
            return .failure(Rejection(LocalizableMessage(.archiveTooLarge, "\(size)", "\(limits.archiveBytes)")))
        }
        let path = inside(archive, format)
        let command: [String] =
            switch format {
            case .zip: ["unzip", "-Z", "-s", path]
            case .tar:
                [
                    "tar", "--list", "--verbose", "--numeric-owner", "--full-time", "--quoting-style=escape",
                    "--absolute-names", "--file", path,
                ]
            }
        // No line of a listing is longer than the longest path.
        return run(command, on: archive, format, limit: limits.entries * 256, entry: entry).flatMap { bytes in
            guard let bytes else {
                return .failure(
                    Rejection(LocalizableMessage(.archiveTooManyEntries, ">\(limits.entries)", "\(limits.entries)")))
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let listing = format == .zip ? ArchiveListing(zip: text) : ArchiveListing(tar: text)
            if let rejection = listing.rejection(limits, isClass: isClass) {
                return .failure(Rejection(rejection))
            }
            return .success(listing)
        }
    }

    /// The bytes of one member of the listing, and exactly as many as the listing says.
    ///
    /// `unzip` takes patterns only, and turns names that are not ASCII into others. It is asked for all members whose names
    /// end alike, which it writes one after another in the listing's order; the member's bytes are cut out of that.
    func read(
        _ member: ArchiveListing.Member, of listing: ArchiveListing, in archive: String, _ format: ArchiveFormat,
        limit: Int, entry: String
    ) -> Result<[UInt8], Rejection> {
        guard member.bytes <= limit else {
            return .failure(Rejection(LocalizableMessage(.fileTooLarge, "\(member.bytes)", "\(limit)")))
        }
        let path = inside(archive, format)
        let command: [String]
        var before = 0
        var total = member.bytes
        switch format {
        case .zip:
            let tail = Self.plainTail(member.name)
            let alike = listing.members.filter { $0.kind != .folder && $0.name.hasSuffix(tail) }
            total = alike.reduce(0) { $0 + $1.bytes }
            before = alike.prefix { $0 != member }.reduce(0) { $0 + $1.bytes }
            command = ["unzip", "-p", path, "*" + tail]
        case .tar:
            command = [
                "tar", "--extract", "--to-stdout", "--absolute-names", "--no-wildcards", "--file", path, "--",
                Self.unescaped(member.name),
            ]
        }
        return run(command, on: archive, format, limit: total, entry: entry).flatMap { bytes in
            guard let bytes, bytes.count == total else {
                let found = bytes.map { "\($0.count)" } ?? "> \(total)"
                return .failure(
                    Rejection(LocalizableMessage(.archiveUnreadable, entry, "\(member.path): \(found) B ≠ \(total) B")))
            }
            return .success(Array(bytes[before..<before + member.bytes]))
        }
    }

    /// Writes the files of a class's archive to a folder that is empty. Links and hidden files are skipped.
    ///
    /// The tool writes all files one after another to a pipe; here they are cut apart and get numbers for names, so that no
    /// path leads out of the folder.
    func unpack(_ archive: URL, _ format: ArchiveFormat, into folder: URL) throws(GradingError) -> UnpackedArchive {
        let entry = archive.lastPathComponent
        let listing = try list(archive.path, format, entry: entry, isClass: true).gradingValue()
        let path = inside(archive.path, format)
        let command =
            format == .zip
            ? ["unzip", "-p", path] : ["tar", "--extract", "--to-stdout", "--absolute-names", "--file", path]
        let members = listing.members.filter { format == .zip ? $0.kind != .folder : $0.kind == .file }
        let total = members.reduce(0) { $0 + $1.bytes }
        let bytes = try run(command, on: archive.path, format, limit: total, entry: entry).gradingValue() ?? []
        guard bytes.count == total else {
            throw GradingError(.archiveUnreadable, entry, "\(bytes.count) B ≠ \(total) B")
        }
        var unpacked = UnpackedArchive(into: folder)
        var offset = 0
        for member in members {
            let content = bytes[offset..<offset + member.bytes]
            offset += member.bytes
            guard member.kind == .file, !KataFinder.isSkipped(member.path), let file = unpacked.add(member) else {
                continue
            }
            do {
                try Data(content).write(to: file)
                if let modified = member.modified {
                    try FileManager.default.setAttributes(
                        [.modificationDate: Date(timeIntervalSince1970: Double(modified))], ofItemAtPath: file.path)
                }
            } catch {
                throw GradingError(folder, notWritable: error)
            }
        }
        return unpacked
    }

    /// The end of a name that `unzip` reads as it stands.
    static func plainTail(_ name: String) -> String {
        String(name.reversed().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "._-+ ".contains($0)) }.reversed())
    }

    /// A name as `tar` was given it, from the way it lists it.
    static func unescaped(_ name: String) -> String {
        let plain: [UInt8: UInt8] = [
            UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13,
            UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "v"): 11, UInt8(ascii: "f"): 12,
        ]
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.first else {
                bytes.append(byte)
                continue
            }
            let octal = String(decoding: rest.prefix(3), as: UTF8.self)
            if octal.count == 3, let number = UInt8(octal, radix: 8) {
                bytes.append(number)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(plain[next] ?? next)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func inside(_ archive: String, _ format: ArchiveFormat) -> String {
        sandbox == nil ? archive : "/archive\(format.suffix)"
    }

    /// What the tool wrote; `nil` where it was more than the limit.
    private func run(
        _ command: [String], on archive: String, _ format: ArchiveFormat, limit: Int, entry: String
    ) -> Result<[UInt8]?, Rejection> {
        func refused(_ key: LocalizableMessage.Key, _ arguments: String...) -> Result<[UInt8]?, Rejection> {
            .failure(Rejection(LocalizableMessage(key, arguments: arguments)))
        }
        let folders = ["/usr/bin", "/bin"]
        let program = folders.map { "\($0)/\(command[0])" }.first(where: FileManager.default.isExecutableFile(atPath:))
        guard let program else { return refused(.archiveUnreadable, entry, "\(command[0]) is not installed") }
        var confinement = Confinement(folder: sandbox == nil ? "/" : "/scratch")
        // `tar` starts `gzip`.
        confinement.readable = folders.map { ($0, $0) } + [(inside(archive, format), archive)]
        confinement.environment = ["PATH": folders.joined(separator: ":"), "LC_ALL": "C.UTF-8", "TZ": "UTC"]
        confinement.scratchMegabytes = 1
        confinement.memoryMegabytes = limits.megabytes
        confinement.processorSeconds = Int(limits.seconds)
        confinement.fileMegabytes = 1
        var process = ChildProcess(program, Array(command.dropFirst()), in: confinement, sandbox: sandbox)
        process.outputs = [[1], [2]]
        var output: [UInt8] = []
        var complaint: [UInt8] = []
        var isCut = false
        let deadline = ContinuousClock.now + .seconds(limits.seconds)
        do throws(GradingError) {
            let result = try process.run(deadline: { deadline + $0 }) { pipe, bytes in
                if pipe == 1 {
                    complaint += bytes.prefix(max(0, 1000 - complaint.count))
                    return .proceed
                }
                if output.count + bytes.count > limit {
                    isCut = true
                    return .stop
                }
                output += bytes
                return .proceed
            }
            if isCut { return .success(nil) }
            switch result.ending {
            case .exited(0): return .success(output)
            // `unzip` found something odd and went on.
            case .exited(1) where format == .zip: return .success(output)
            case .stopped: return refused(.archiveTimedOut, "\(limits.seconds)")
            case .signaled(SIGXCPU): return refused(.archiveTimedOut, "\(limits.seconds)")
            case .exited, .signaled:
                // `unzip` complains of what is no archive where it would list it.
                let words = complaint.isEmpty ? Array(output.prefix(1000)) : complaint
                let lines = String(decoding: words, as: UTF8.self).split(separator: "\n")
                let said =
                    lines.map { $0.trimmingCharacters(in: .whitespaces) }
                    .first { !$0.isEmpty && !$0.hasPrefix("Archive:") && !$0.hasPrefix("[") } ?? ""
                return refused(
                    .archiveUnreadable, entry, said.replacing(inside(archive, format), with: entry))
            }
        } catch {
            return .failure(Rejection(error.message))
        }
    }
}

extension Result where Failure == Rejection {
    fileprivate func gradingValue() throws(GradingError) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let rejection): throw GradingError(rejection.message)
        }
    }
}
