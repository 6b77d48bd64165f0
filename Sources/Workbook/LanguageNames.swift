import Foundation

extension Language {
    /// The language's name in itself where its letters can be shown, else in English.
    public func name(isUnicode: Bool) -> String { isUnicode ? ownName : englishName }

    /// Every name that a person may call the language by, its code among them.
    private var names: [String] { [code, ownName, englishName] + otherNames }

    /// The language that a person means: by its code, its own name, its English name, or a locale; in any case and
    /// without its accents.
    public init?(named name: String) {
        let wanted = Self.plain(name)
        guard
            let language = Language.allCases.first(where: { $0.names.contains { Self.plain($0) == wanted } })
                ?? Language(locale: name)
        else { return nil }
        self = language
    }

    /// The language whose name is nearest to a name that is not known. A code of two letters is near to every other one, so
    /// it is near to none.
    public static func nearest(to name: String) -> Language? {
        let names = allCases.flatMap { language in language.names.map { (plain($0), language) } }
            .filter { name, _ in name.count > 2 || !name.utf8.allSatisfy { $0 < 0x80 } }
        guard let nearest = NearestName(to: plain(name), among: names.map(\.0)).name else { return nil }
        return names.first { $0.0 == nearest }?.1
    }

    private static func plain(_ name: String) -> String {
        name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .trimmingCharacters(in: .whitespaces)
    }
}
