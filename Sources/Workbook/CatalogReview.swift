import Foundation

/// What an author still has to do in a String Catalog: empty where it is complete.
public struct CatalogReview: Sendable, Equatable {
    public enum Finding: Sendable, Hashable {
        /// A key that is used has no text at all.
        case missing(key: String)
        case notUsed(key: String)
        case notTranslated(key: String, Language)
        /// A percent sign begins no placeholder.
        case malformed(key: String, Language)
        case empty(key: String, Language)
        /// Other placeholders than in English.
        case placeholders(key: String, Language)
        /// The plural lacks categories, or has too many.
        case plural(key: String, Language, needed: [StringCatalog.PluralCategory])
    }

    public let findings: [Finding]

    /// Looks at one catalog. `keys` are those that are used.
    public init(contentsOf file: URL, keys: Set<String>) throws {
        try self.init(Data(contentsOf: file), keys: keys)
    }

    /// - Parameter languages: those that the texts have to be in.
    public init(_ data: Data, keys: Set<String>, in languages: [Language] = Language.allCases) throws {
        let catalogs = try Dictionary(
            uniqueKeysWithValues: languages.map { ($0, try StringCatalog(data, language: $0)) })
        var findings: [Finding] = []
        let present = catalogs.values.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
        findings += keys.subtracting(present).sorted().map { .missing(key: $0) }
        findings += present.subtracting(keys).sorted().map { .notUsed(key: $0) }
        for key in present.intersection(keys).sorted() {
            let source = Self.placeholders(of: key, in: catalogs[.english])
            for language in languages {
                guard let catalog = catalogs[language] else { continue }
                if catalog.untranslated.contains(key) {
                    findings.append(.notTranslated(key: key, language))
                    continue
                }
                findings += Self.findings(of: key, in: catalog, source: source)
            }
        }
        self.findings = findings
    }

    private static func placeholders(
        of key: String, in catalog: StringCatalog?
    ) -> Set<StringCatalog.Template.Placeholder> {
        (catalog?.variants(of: key) ?? []).reduce(into: []) { $0.formUnion($1.template.placeholders) }
    }

    private static func findings(
        of key: String, in catalog: StringCatalog, source: Set<StringCatalog.Template.Placeholder>
    ) -> [Finding] {
        let language = catalog.language
        let variants = catalog.variants(of: key)
        let templates = variants.map(\.template)
        var findings: [Finding] = []
        if templates.contains(where: \.isMalformed) { findings.append(.malformed(key: key, language)) }
        if templates.contains(where: \.isEmpty) { findings.append(.empty(key: key, language)) }
        if templates.contains(where: { $0.placeholders != source }) {
            findings.append(.placeholders(key: key, language))
        }
        let categories = Set(variants.compactMap(\.category))
        let needed = language.pluralCategories
        if !categories.isEmpty, categories != needed {
            let inOrder = StringCatalog.PluralCategory.allCases.filter(needed.contains)
            findings.append(.plural(key: key, language, needed: inOrder))
        }
        return findings
    }
}
