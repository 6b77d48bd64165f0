import Foundation
import Workbook

/// The archives that learners hand in.
enum ArchiveFormat: Sendable, Equatable {
    case zip
    case tar(suffix: String)

    private static let tarSuffixes = [".tar.gz", ".tgz", ".tar"]

    init?(fileName: String) {
        let name = fileName.lowercased()
        if name.hasSuffix(".zip") {
            self = .zip
        } else if let suffix = Self.tarSuffixes.first(where: name.hasSuffix) {
            self = .tar(suffix: suffix)
        } else {
            return nil
        }
    }

    var suffix: String {
        switch self {
        case .zip: ".zip"
        case .tar(let suffix): suffix
        }
    }
}

/// What an archive says that it holds. Nothing is unpacked before this was looked at.
struct ArchiveListing: Sendable, Equatable {
    struct Member: Sendable, Equatable {
        enum Kind: Sendable, Equatable { case file, folder, link, other }
        /// As the tool that listed it writes it.
        var name: String
        /// The name as a path with `/` between its parts: archives made on Windows may have `\`.
        var path: String
        var kind: Kind
        var bytes: Int
        /// When it was changed last, counted in seconds from 1970.
        var modified: Int?

        /// - Parameter text: the name, without what the tool that listed it put in the place of some characters.
        init(name: String, text: String, kind: Kind, bytes: Int, modified: Int?) {
            self.name = name
            let path = text.replacingOccurrences(of: "\\", with: "/")
            self.path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
            self.kind = kind
            self.bytes = bytes
            self.modified = modified
        }

        /// Whether it would be unpacked to a place outside the archive's folder.
        var leadsOut: Bool { isAbsolute(path) || parts(of: path).contains("..") }
    }

    /// The parts of a path. By bytes: to Swift, a slash with an accent on it is no slash.
    static func parts(of path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// Whether a path begins at the root of a disk.
    static func isAbsolute(_ path: String) -> Bool {
        path.utf8.first == UInt8(ascii: "/") || path.prefixMatch(of: /[A-Za-z]:/) != nil
    }

    var members: [Member]

    /// Why the archive is refused whole; `nil` where it may be opened.
    ///
    /// - Parameter isClass: whether it holds several learners' files. One of them is not refused for what another has done,
    ///   so that only the members are left out that may not be opened.
    func rejection(_ limits: IntakeLimits, isClass: Bool = false) -> LocalizableMessage? {
        if members.count > limits.entries {
            return LocalizableMessage(.archiveTooManyEntries, "\(members.count)", "\(limits.entries)")
        }
        var total = 0
        for member in members {
            if !isClass, member.leadsOut { return LocalizableMessage(.archivePathEscapes, member.name) }
            if !isClass, member.kind == .link, !KataFinder.isSkipped(member.path) {
                return LocalizableMessage(.archiveHasLink, member.name)
            }
            total += max(0, member.bytes)
            if total > limits.unpackedBytes {
                return LocalizableMessage(.archiveTooLarge, "\(total)", "\(limits.unpackedBytes)")
            }
        }
        return nil
    }

    /// Reads what `unzip -Z -s` prints: `-rw-r--r--  3.0 unx  3 tx stor 26-Nov-21 13:28 a/FirstValue.swift`.
    ///
    /// - Parameter timeZone: that of the learners. An archive without times in UTC (`x` in the fifth column)
    ///   has those of a clock on a wall.
    init(zip text: String, timeZone: TimeZone = .current) {
        members = Self.lines(text, columns: 8) { columns, name in
            guard let bytes = Int(columns[3]) else { return nil }
            let kind: Member.Kind? =
                switch columns[0].first {
                case "l": .link
                case "d": .folder
                case "-" where name.hasSuffix("/"), "?" where name.hasSuffix("/"): .folder
                case "-", "?": .file
                case "p", "s", "b", "c": .other
                default: nil
                }
            let zone = columns[4].lowercased().hasSuffix("x") ? .gmt : timeZone
            let modified = Self.seconds(zipDate: columns[6], time: columns[7], timeZone: zone)
            return kind.map { Member(name: name, text: name, kind: $0, bytes: bytes, modified: modified) }
        }
    }

    /// Reads what `tar --list --verbose --numeric-owner --full-time --quoting-style=escape` prints:
    /// `-rw-r--r-- 0/0  3 2026-11-21 13:28:49 a/FirstValue.swift`.
    init(tar text: String) {
        members = Self.lines(text, columns: 5) { columns, rest in
            let kind: Member.Kind =
                switch columns[0].first {
                case "-": .file
                case "d": .folder
                case "l", "h": .link
                default: .other
                }
            let separator = columns[0].hasPrefix("h") ? " link to " : " -> "
            let name = kind == .link ? (rest.range(of: separator).map { String(rest[..<$0.lowerBound]) } ?? rest) : rest
            // A device has `major,minor` where a file has its size.
            let modified = DateText("\(columns[3])T\(columns[4])", timeZone: .gmt)?.first
            return Member(
                name: name, text: ArchiveReader.unescaped(name), kind: kind, bytes: Int(columns[2]) ?? 0,
                modified: modified)
        }
    }

    /// `26-Nov-21` and `13:28`.
    private static func seconds(zipDate date: Substring, time: Substring, timeZone: TimeZone) -> Int? {
        let parts = date.split(separator: "-")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 3, let year = Int(parts[0]), let month = months.firstIndex(of: String(parts[1])) else {
            return nil
        }
        let day = "\((year < 80 ? 2000 : 1900) + year)-\(month < 9 ? "0" : "")\(month + 1)-\(parts[2])"
        return DateText("\(day)T\(time)", timeZone: timeZone)?.first
    }

    private static func lines(
        _ text: String, columns count: Int, _ member: (_ columns: [Substring], _ name: String) -> Member?
    ) -> [Member] {
        text.split(separator: "\n").compactMap { line in
            var columns: [Substring] = []
            var rest = line[...]
            while columns.count < count {
                rest = rest.drop { $0 == " " }
                let column = rest.prefix { $0 != " " }
                guard !column.isEmpty else { return nil }
                columns.append(column)
                rest = rest.dropFirst(column.count)
            }
            guard rest.first == " ", rest.count > 1 else { return nil }
            return member(columns, String(rest.dropFirst()))
        }
    }
}
