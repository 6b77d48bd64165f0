import Foundation
import Workbook

/// The files of a class: a folder on the disk, or an archive of such a folder.
struct ClassFiles: Sendable {
    /// Where the class is, on the disk or within the archive.
    private(set) var root: String
    private let archive: UnpackedArchive?

    init(_ folder: URL) {
        root = folder.path
        archive = nil
    }

    init(_ archive: UnpackedArchive) {
        root = ""
        self.archive = archive
    }

    /// The files of a folder in it.
    func inner(_ name: String) -> ClassFiles {
        var files = self
        files.root = full(name)
        return files
    }

    /// What a folder holds, by name.
    func entries(in folder: String = "") -> [FolderEntry] {
        archive?.entries(in: full(folder)) ?? FolderEntry.all(in: full(folder))
    }

    /// Where a file is on the disk.
    func place(of file: String) -> String { archive?.place(of: full(file)) ?? full(file) }

    /// What the archive has and is not opened: the entry of the class that it belongs to, as far as that can be told, and
    /// its path.
    var leftOut: [(entry: String?, path: String)] {
        let depth = ArchiveListing.parts(of: root).count
        return (archive?.leftOut ?? []).map { path in
            let parts = ArchiveListing.parts(of: path)
            let isInside = !ArchiveListing.isAbsolute(path) && parts.prefix(depth).joined(separator: "/") == root
            let entry = isInside ? parts.dropFirst(depth).first : nil
            return (entry == ".." ? nil : entry.map(String.init), path)
        }
    }

    private func full(_ path: String) -> String { root.isEmpty || path.isEmpty ? root + path : "\(root)/\(path)" }
}

/// The files of an archive, each under a number on the disk: a learner may give a file a name that no disk takes.
struct UnpackedArchive: Sendable {
    private let folder: URL
    // By bytes: to Swift, two names that only look the same are one.
    private var folders: [[UInt8]: [FolderEntry]] = [[]: []]
    private var places: [[UInt8]: String] = [:]
    /// Paths that lead out of the archive's folder, that are there twice, or that are too long.
    private(set) var leftOut: [String] = []

    /// `unzip` tells no more of a path than this.
    private static let mostBytes = 4000
    /// No folder is looked for below this depth.
    static let mostDepth = 64

    init(into folder: URL) { self.folder = folder }

    /// Makes room for a file, and gives back where its bytes go; `nil` where it is left out.
    mutating func add(_ member: ArchiveListing.Member) -> URL? {
        let parts = ArchiveListing.parts(of: member.path)
        guard !member.leadsOut, member.path.utf8.count <= Self.mostBytes, parts.count <= Self.mostDepth,
            !parts.isEmpty, makeFolders(parts.dropLast())
        else { return leaveOut(member.path) }
        let key = Self.key(parts)
        guard folders[key] == nil, places[key] == nil else { return leaveOut(member.path) }
        let file = folder.appendingPathComponent("\(places.count)")
        places[key] = file.path
        add(String(parts[parts.count - 1]), .file, to: parts.dropLast())
        return file
    }

    func entries(in folder: String) -> [FolderEntry] { (folders[Array(folder.utf8)] ?? []).sorted() }

    /// Where a file's bytes are; where nothing is if there is no such file.
    func place(of file: String) -> String { places[Array(file.utf8)] ?? folder.appendingPathComponent("none").path }

    private mutating func leaveOut(_ path: String) -> URL? {
        leftOut.append(path)
        return nil
    }

    /// Whether all of these are folders now: one of them may be a file already.
    private mutating func makeFolders(_ parts: ArraySlice<Substring>) -> Bool {
        let paths = parts.indices.map { parts[...$0] }
        if paths.contains(where: { places[Self.key($0)] != nil }) { return false }
        for path in paths where folders[Self.key(path)] == nil {
            folders[Self.key(path)] = []
            add(String(path[path.endIndex - 1]), .folder, to: path.dropLast())
        }
        return true
    }

    private mutating func add(_ name: String, _ kind: FolderEntry.Kind, to folder: ArraySlice<Substring>) {
        folders[Self.key(folder), default: []].append(FolderEntry(name: name, kind: kind))
    }

    private static func key(_ parts: some Sequence<Substring>) -> [UInt8] { Array(parts.joined(separator: "/").utf8) }
}
