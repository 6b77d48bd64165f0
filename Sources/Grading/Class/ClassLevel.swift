import Foundation
import Workbook

/// On which level of a folder the class is: who unpacks an export often has one folder around all learners.
enum ClassLevel {
    /// The folder that holds the class, where every entry is a folder of several learners: the first of them.
    static func below(_ files: ClassFiles, entries: [FolderEntry], katas: [String]) -> String? {
        let shown = entries.filter(\.isShown)
        guard let first = shown.first, shown.allSatisfy({ $0.kind == .folder && $0.nameIsText }) else { return nil }
        let isClass = { (name: String) in holdsSeveral(paths(of: files.inner(name)), katas: katas) }
        return shown.allSatisfy { isClass($0.name) } ? first.name : nil
    }

    /// Whether paths of one folder are those of several learners: two of its entries have the same kata, are called what
    /// platforms call submissions, or are archives of something else than a kata.
    static func holdsSeveral(_ paths: [[String]], katas: [String]) -> Bool {
        let platformNames = Set(paths.compactMap(\.first).filter(ClassNames.isPlatformName))
        let archives = paths.filter { $0.count == 1 }.compactMap { path in
            ArchiveFormat(fileName: path[0]).map { String(path[0].dropLast($0.suffix.count)) }
        }
        if platformNames.count > 1 || Set(archives).subtracting(katas).count > 1 { return true }
        let files = Set(katas.map { "\($0).swift" })
        var owners: [String: String] = [:]
        for path in paths {
            // A workbook that was handed in whole has each name twice.
            guard let entry = path.first, let file = path.last, path.count > 1, files.contains(file),
                !["Exercises", "Solutions", "Tests", "Sources"].contains(entry)
            else { continue }
            if let other = owners[file], other != entry { return true }
            owners[file] = entry
        }
        return false
    }

    /// The files of a folder, as deep and as many as it takes to tell.
    private static func paths(of files: ClassFiles) -> [[String]] {
        var found: [[String]] = []
        func walk(_ path: [String]) {
            for entry in files.entries(in: path.joined(separator: "/")) where entry.isShown && found.count < 2000 {
                let inner = path + [entry.name]
                if entry.kind == .folder {
                    if ClassNames.isPlatformName(entry.name) { found.append(inner) }
                    if inner.count < 6 { walk(inner) }
                } else {
                    found.append(inner)
                }
            }
        }
        walk([])
        return found
    }
}
