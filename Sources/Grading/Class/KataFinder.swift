import Foundation
import Workbook

/// Something in a submission, wherever it lies.
struct SubmittedItem: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case file
        case link
        /// A FIFO, a device, a folder with a file's name.
        case other
    }
    enum Location: Sendable, Equatable {
        /// A path of this machine.
        case disk(String)
        case archive(path: String, format: ArchiveFormat, listing: ArchiveListing, member: ArchiveListing.Member)
    }
    /// The path within the submission.
    var path: String
    var kind: Kind
    var location: Location

    /// When the file was changed last, counted in seconds from 1970; `nil` where nothing says so.
    var modified: Int? {
        switch location {
        case .disk(let path):
            let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            return date.map { Int($0.timeIntervalSince1970) }
        case .archive(_, _, _, let member): return member.modified
        }
    }
}

/// Finds each kata's file in what a learner handed in, however deep it lies.
enum KataFinder {
    enum Found: Sendable, Equatable {
        case file(SubmittedItem)
        /// Two files or more, and no path that says which one is meant.
        case several([SubmittedItem])
        /// There is something of that name, but it is no regular file.
        case notRegular(String)
        case missing
    }

    static func find(_ kata: String, in items: [SubmittedItem]) -> Found {
        let name = "\(kata).swift"
        let exact = items.filter { lastComponent($0.path) == name && !isSkipped($0.path) }
        let candidates =
            exact.isEmpty
            ? items.filter { isNearly(kata, lastComponent($0.path)) && !isSkipped($0.path) } : exact
        let files = candidates.filter { $0.kind == .file }
        switch files.count {
        case 0: return candidates.first.map { .notRegular($0.path) } ?? .missing
        case 1: return .file(files[0])
        default:
            // A whole workbook was handed in: the model answers in it are not the learner's.
            let others = files.filter { !ends($0.path, in: "Solutions/\(kata)/\(name)") }
            if others.count == 1, ends(others[0].path, in: "Exercises/\(kata)/\(name)") { return .file(others[0]) }
            return .several(files.sorted { $0.path < $1.path })
        }
    }

    /// Whether a file's name is the kata's in another letter case, or with what browsers and systems add to a second
    /// file of one name: `FirstValue (1).swift`, `FirstValue copy.swift`.
    private static func isNearly(_ kata: String, _ file: Substring) -> Bool {
        let file = file.lowercased()
        guard file.hasPrefix(kata.lowercased()), file.hasSuffix(".swift") else { return false }
        let added = file.dropFirst(kata.count).dropLast(".swift".count)
        return added.wholeMatch(of: /(\ ?\([0-9]+\)|\ copy(\ [0-9]+)?|\ [0-9]+)?/) != nil
    }

    /// Files that a learner may have meant to be graded, and that were not: other Swift files, and where a kata is
    /// missing, what has its name, or whatever there is.
    ///
    /// - Parameters:
    ///   - used: the paths of the files that were found.
    ///   - missing: the katas of which no file was found.
    ///   - known: the names of all katas.
    static func notUsed(in items: [SubmittedItem], used: Set<String>, missing: [String], known: [String]) -> [String] {
        let others = items.filter { !used.contains($0.path) && !isSkipped($0.path) }
        let names = Set(known.map { "\($0).swift" } + ["Package.swift"])
        return others.map(\.path).filter { path in
            let file = lastComponent(path)
            // What a workbook or a package has besides is not the learner's, or has its own reason to be there.
            let isElsewhere = path.split(separator: "/").dropLast().contains {
                ["Solutions", "Sources", "Tests"].contains($0)
            }
            if file.hasSuffix(".swift"), !names.contains(String(file)), !isElsewhere { return true }
            return used.isEmpty || missing.contains { file.lowercased().contains($0.lowercased()) }
        }.sorted()
    }

    /// Hidden files and folders, and what macOS adds to its archives.
    static func isSkipped(_ path: String) -> Bool {
        path.split(separator: "/").contains { ($0.hasPrefix(".") && $0 != "." && $0 != "..") || $0 == "__MACOSX" }
    }

    private static func lastComponent(_ path: String) -> Substring {
        path.split(separator: "/").last ?? ""
    }

    private static func ends(_ path: String, in tail: String) -> Bool { path == tail || path.hasSuffix("/" + tail) }
}
