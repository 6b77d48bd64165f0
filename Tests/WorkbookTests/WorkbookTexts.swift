import Foundation
import Workbook

/// The texts of this workbook as they are shipped.
enum WorkbookTexts {
    static let root = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    /// Every text of a language, with where it stands.
    static func all(in language: Language) throws -> [(place: String, text: String)] {
        let pages =
            language == .english
            ? ["README.md", "Interview.md"] : ["README", "Interview"].map { "\($0).\(language.code).md" }
        return try ["Sources", "Exercises", "Solutions"].flatMap { folder in
            let files = FileManager.default.enumerator(
                at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
            return try (files?.allObjects as? [URL] ?? []).flatMap { file -> [(String, String)] in
                let place = String(file.path.dropFirst(root.path.count + 1))
                if file.pathExtension == "xcstrings" {
                    let catalog = try StringCatalog(contentsOf: file, language: language)
                    return catalog.keys.flatMap { key in catalog.texts(of: key).map { ("\(place), \(key)", $0) } }
                }
                guard folder != "Sources", pages.contains(file.lastPathComponent), file.pathComponents.count > 2 else {
                    return []
                }
                return [(place, try String(contentsOf: file, encoding: .utf8))]
            }
        }
    }
}
