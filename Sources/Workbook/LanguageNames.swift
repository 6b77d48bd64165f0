import Foundation

extension Language {
    /// The language's name in English.
    public var englishName: String {
        switch self {
        case .indonesian: "Indonesian"
        case .thai: "Thai"
        case .spanish: "Spanish"
        case .korean: "Korean"
        case .chinese: "Chinese"
        case .english: "English"
        }
    }

    /// Every name that a person may call the language by, its code among them.
    private var names: [String] {
        var names = [code, ownName, englishName]
        switch self {
        case .indonesian: names += ["Indonesia"]
        case .thai: names += ["ภาษาไทย"]
        case .spanish: names += ["castellano"]
        case .korean: names += ["한국말"]
        case .chinese: names += ["中文", "汉语", "普通话", "Simplified Chinese", "Mandarin"]
        case .english: break
        }
        return names
    }

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

    /// The language whose name is nearest to one that is none.
    public static func nearest(to name: String) -> Language? {
        let names = allCases.flatMap { language in language.names.map { (plain($0), language) } }
        guard let nearest = NearestName(to: plain(name), among: names.map(\.0)).name else { return nil }
        return names.first { $0.0 == nearest }?.1
    }

    private static func plain(_ name: String) -> String {
        name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .trimmingCharacters(in: .whitespaces)
    }
}
