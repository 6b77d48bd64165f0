import Foundation

/// What an author still has to do in a String Catalog: a list of sentences, empty where it is complete.
public struct CatalogReview: Sendable, Equatable {
    public let findings: [String]

    /// Looks at one catalog. `keys` are those that are used.
    public init(contentsOf file: URL, keys: Set<String>, languages: [Language] = Language.allCases) throws {
        let catalogs = try Dictionary(
            uniqueKeysWithValues: Language.allCases.map { ($0, try StringCatalog(contentsOf: file, language: $0)) })
        var findings: [String] = []
        let present = catalogs.values.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
        findings += keys.subtracting(present).sorted().map { "\($0): missing" }
        findings += present.subtracting(keys).sorted().map { "\($0): not used" }
        for key in present.intersection(keys).sorted() {
            let source = Self.placeholders(of: key, in: catalogs[.english])
            for language in languages {
                guard let catalog = catalogs[language] else { continue }
                if catalog.untranslated.contains(key) {
                    findings.append("\(key): not translated into \(language.code)")
                    continue
                }
                findings += Self.findings(of: key, in: catalog, source: source)
            }
        }
        self.findings = findings
    }

    private static func placeholders(of key: String, in catalog: StringCatalog?) -> Set<
        StringCatalog.Template.Placeholder
    > {
        (catalog?.variants(of: key) ?? []).reduce(into: []) { $0.formUnion($1.template.placeholders) }
    }

    private static func findings(
        of key: String, in catalog: StringCatalog, source: Set<StringCatalog.Template.Placeholder>
    ) -> [String] {
        var findings: [String] = []
        let variants = catalog.variants(of: key)
        for (category, template) in variants {
            let place = [key, catalog.language.code, category?.rawValue].compactMap { $0 }.joined(separator: ".")
            if template.isMalformed { findings.append("\(place): a percent sign begins no placeholder") }
            if template.isEmpty { findings.append("\(place): empty") }
            if template.placeholders != source { findings.append("\(place): other placeholders than in English") }
        }
        let categories = Set(variants.compactMap(\.category))
        let needed = catalog.language.pluralCategories
        if !categories.isEmpty, categories != needed {
            let names = needed.map(\.rawValue).sorted().joined(separator: ", ")
            findings.append("\(key).\(catalog.language.code): the plural needs \(names)")
        }
        return findings
    }
}
