import Foundation

/// The tables that lie next to the submissions of a class, such as the platform's own: kept in the report's folder, so that
/// marks can be written into them also where the class was an archive, and where shards are merged.
public struct KeptTables: Sendable {
    private let folders: [URL]
    /// A class of thousands has a table of less than that.
    private static let mostBytes = 16 << 20

    /// - Parameter reports: the folders of the reports for which the tables were kept.
    public init(of reports: [URL]) {
        folders = reports.map { $0.appendingPathComponent(".tables") }
    }

    /// Those of a class, which no report has kept yet.
    static func all(in files: ClassFiles) -> [(name: String, bytes: [UInt8])] {
        // What a learner handed in is not a table of the class: other people's marks could stand in it.
        files.entries().filter { $0.isTable && $0.isShown && $0.nameIsText && !ClassNames.mayBeHandedIn($0.name) }
            .filter { $0.name.lowercased().hasSuffix(".csv") }
            .compactMap { entry in
                read(URL(fileURLWithPath: files.place(of: entry.name))).map { (entry.name, $0) }
            }
    }

    /// Those of a class's folder, or of a report's.
    public static func all(in folder: URL) -> [(name: String, bytes: [UInt8])] { all(in: ClassFiles(folder)) }

    public var all: [(name: String, bytes: [UInt8])] { folders.flatMap { Self.all(in: $0) } }

    /// Replaces what was kept with the tables of this class.
    func keep(_ files: ClassFiles) throws {
        for folder in folders {
            try? FileManager.default.removeItem(at: folder)
            let tables = Self.all(in: files)
            guard !tables.isEmpty else { continue }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, bytes) in tables {
                try Data(bytes).write(to: folder.appendingPathComponent(name), options: .atomic)
            }
        }
    }

    private static func read(_ file: URL) -> [UInt8]? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let size = attributes?[.size] as? Int, size <= mostBytes
        else { return nil }
        return FileManager.default.contents(atPath: file.path).map { [UInt8]($0) }
    }
}
