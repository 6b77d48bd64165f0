import Foundation
import Workbook

/// `Exercises/Rules.xcstrings`, as `kata verify` looks at it.
struct RuleCatalog {
    let names: Set<String>
    /// Its name stands for the workbook's.
    let shortcomings: [Shortcoming]

    /// A workbook need not have the file.
    init(_ file: URL, _ languages: [Language] = Language.allCases) {
        let place = "Exercises/\(file.lastPathComponent)"
        guard let data = try? Data(contentsOf: file) else {
            (names, shortcomings) = ([], [])
            return
        }
        let catalogs: [StringCatalog]
        do {
            catalogs = try languages.map { try StringCatalog(data, language: $0) }
        } catch {
            (names, shortcomings) = ([], [Shortcoming(place, .catalogUnreadable, place, "\(error)")])
            return
        }
        let names = RulePart.rules(in: catalogs.flatMap(\.keys))
        let missing = names.flatMap { rule in RulePart.allCases.map { $0.key(of: rule) } }.filter { key in
            catalogs.contains { !$0.has(key) || $0.untranslated.contains(key) }
        }
        self.names = Set(names)
        shortcomings = missing.isEmpty ? [] : [Shortcoming(place, .textsMissing, place, missing.listed)]
    }
}
