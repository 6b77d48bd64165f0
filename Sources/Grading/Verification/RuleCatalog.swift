import Foundation
import Workbook

/// `Exercises/Rules.xcstrings`, as `kata verify` looks at it.
struct RuleCatalog {
    /// What every rule has a text for.
    private static let parts = ["title", "rule", "code", "trap"]

    let names: Set<String>
    /// Its name stands for the workbook's.
    let shortcomings: [Shortcoming]

    /// A workbook need not have the file.
    init(_ file: URL) {
        let place = "Exercises/\(file.lastPathComponent)"
        guard let data = try? Data(contentsOf: file) else {
            (names, shortcomings) = ([], [])
            return
        }
        let catalogs: [StringCatalog]
        do {
            catalogs = try Language.allCases.map { try StringCatalog(data, language: $0) }
        } catch {
            (names, shortcomings) = ([], [Shortcoming(place, .catalogUnreadable, place, "\(error)")])
            return
        }
        let names = Set(catalogs.flatMap(\.keys).compactMap { $0.split(separator: ".").first.map(String.init) })
        let missing = names.sorted().flatMap { rule in Self.parts.map { "\(rule).\($0)" } }.filter { key in
            catalogs.contains { !$0.has(key) || $0.untranslated.contains(key) }
        }
        self.names = names
        shortcomings = missing.isEmpty ? [] : [Shortcoming(place, .textsMissing, place, missing.listed)]
    }
}
