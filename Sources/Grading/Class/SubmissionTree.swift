import Foundation
import Workbook

/// Everything that one learner handed in, by its path, with archives opened.
struct SubmissionTree: Sendable {
    var items: [SubmittedItem] = []
    /// Why a part of it was refused: the first reason there was.
    var problem: LocalizableMessage?

    init(_ source: SubmissionSource, of files: ClassFiles, reader: ArchiveReader) {
        problem = source.problem
        for part in source.parts {
            if part.isFolder {
                walk(part.entry, of: files, as: part.name, depth: 0, reader: reader)
            } else {
                take(file: files.place(of: part.entry), as: part.name, reader: reader)
            }
        }
    }

    private var archives = 0

    private mutating func take(file path: String, as name: String, reader: ArchiveReader) {
        guard let format = ArchiveFormat(fileName: name), archives < reader.limits.nestedArchives else {
            items.append(SubmittedItem(path: name, kind: .file, location: .disk(path)))
            return
        }
        archives += 1
        switch reader.list(path, format, entry: name) {
        case .failure(let rejection):
            problem = problem ?? rejection.message
            // One archive may take its time, and not one after another.
            if rejection.message.key == .archiveTimedOut { archives = reader.limits.nestedArchives }
        case .success(let listing):
            for member in listing.members where member.kind != .folder && !KataFinder.isSkipped(member.path) {
                items.append(
                    SubmittedItem(
                        path: "\(name)/\(member.path)",
                        kind: member.kind == .file ? .file : member.kind == .link ? .link : .other,
                        location: .archive(path: path, format: format, listing: listing, member: member)))
            }
        }
    }

    private mutating func walk(
        _ folder: String, of files: ClassFiles, as name: String, depth: Int, reader: ArchiveReader
    ) {
        for entry in files.entries(in: folder) where entry.isShown && entry.nameIsText {
            let path = "\(folder)/\(entry.name)"
            let inner = name.isEmpty ? entry.name : "\(name)/\(entry.name)"
            guard items.count < reader.limits.entries, depth < UnpackedArchive.mostDepth else {
                problem =
                    problem ?? LocalizableMessage(.archiveTooManyEntries, ">\(items.count)", "\(reader.limits.entries)")
                return
            }
            switch entry.kind {
            // A folder is never entered through a link, so a walk ends.
            case .folder: walk(path, of: files, as: inner, depth: depth + 1, reader: reader)
            case .file: take(file: files.place(of: path), as: inner, reader: reader)
            case .link: items.append(SubmittedItem(path: inner, kind: .link, location: .disk(files.place(of: path))))
            case .other: items.append(SubmittedItem(path: inner, kind: .other, location: .disk(files.place(of: path))))
            }
        }
    }
}

extension FolderEntry {
    /// What a folder holds, by name; nothing where it cannot be read.
    static func all(in folder: String) -> [FolderEntry] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var entries: [FolderEntry] = []
        while let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            let text = String(validating: bytes, as: UTF8.self)
            if text == "." || text == ".." { continue }
            var status = stat()
            let path = Array(folder.utf8) + [UInt8(ascii: "/")] + bytes + [0]
            let found = path.withUnsafeBytes {
                lstat($0.assumingMemoryBound(to: CChar.self).baseAddress!, &status) == 0
            }  // never empty
            guard found else { continue }
            let kind: Kind =
                switch status.st_mode & S_IFMT {
                case S_IFDIR: .folder
                case S_IFREG: .file
                case S_IFLNK: .link
                default: .other
                }
            entries.append(
                FolderEntry(name: text ?? String(decoding: bytes, as: UTF8.self), kind: kind, nameIsText: text != nil))
        }
        return entries.sorted()
    }
}
