import Foundation

/// The strings of one String Catalog (`.xcstrings`, the format that Xcode edits) in one language.
///
/// Foundation reads compiled catalogs only, and only Apple's tools compile them; so this reads the source, which is
/// JSON. Only the language that is asked for is decoded: the grader answers an unchanged file in milliseconds.
public struct StringCatalog: Sendable {
    /// What fills a placeholder.
    public enum Argument: Sendable, Equatable {
        case text(String)
        case integer(Int)
        case decimal(Double)
        case list([String])
    }

    /// The plural categories of CLDR that some language of the workbook has.
    public enum PluralCategory: String, Sendable, CaseIterable {
        case one, many, other
    }

    enum Entry: Sendable, Equatable {
        case text(String)
        case plural([PluralCategory: String])
    }

    public let language: Language
    let entries: [String: Entry]
    /// The keys that have no text in this language; the source language's stands in.
    public let untranslated: Set<String>

    public init(contentsOf file: URL, language: Language) throws {
        try self.init(Data(contentsOf: file), language: language)
    }

    public init(_ data: Data, language: Language) throws {
        let decoder = JSONDecoder()
        decoder.userInfo[.catalogLanguage] = language
        let file = try decoder.decode(CatalogFile.self, from: data)
        self.language = language
        entries = file.strings.compactMapValues { $0.own ?? $0.source }
        untranslated = Set(file.strings.filter { $0.value.own == nil }.keys)
    }

    public var keys: Set<String> { Set(entries.keys).union(untranslated) }

    public func has(_ key: String) -> Bool { entries[key] != nil }

    /// The text of `key` with its placeholders filled; the key itself where the catalog has no such key, so that a gap
    /// is seen and nothing is hidden.
    public func text(_ key: String, _ arguments: [Argument] = []) -> String {
        guard let entry = entries[key] else { return key }
        return Template(template(of: entry, arguments)).filled(with: arguments, NumberStyle(language))
    }

    private func template(of entry: Entry, _ arguments: [Argument]) -> String {
        switch entry {
        case .text(let text): return text
        case .plural(let texts):
            let category = language.pluralCategory(of: Self.counted(texts[.other] ?? "", arguments))
            return texts[category] ?? texts[.other] ?? ""
        }
    }

    /// The number that decides the plural: the first placeholder that takes one.
    private static func counted(_ template: String, _ arguments: [Argument]) -> Double {
        for placeholder in Template(template).placeholders.sorted(by: { $0.position < $1.position })
        where placeholder.kind != .text && placeholder.position <= arguments.count {
            if let number = arguments[placeholder.position - 1].number { return number }
        }
        return 0
    }

    /// The texts of a key as they stand in the file; for checks of the catalogs themselves.
    public func texts(of key: String) -> [String] {
        switch entries[key] {
        case .text(let text): [text]
        case .plural(let texts): Array(texts.values)
        case nil: []
        }
    }

    /// The texts of a key, one for each plural category that it has; for checks of the catalogs themselves.
    public func variants(of key: String) -> [(category: PluralCategory?, template: Template)] {
        switch entries[key] {
        case .text(let text): [(nil, Template(text))]
        case .plural(let texts):
            PluralCategory.allCases.compactMap { category in texts[category].map { (category, Template($0)) } }
        case nil: []
        }
    }
}

extension StringCatalog.Argument: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }

    /// The number that this is, or that this text spells: a message's arguments are strings.
    var number: Double? {
        switch self {
        case .text(let text): Double(text)
        case .integer(let value): Double(value)
        case .decimal(let value): value
        case .list: nil
        }
    }
}

extension StringCatalog {
    /// A text with placeholders: `%@` for text, `%lld` for a count, `%lf` for a measure, `%2$@` by position, `%%`.
    public struct Template: Sendable, Equatable {
        public enum Kind: Sendable, Hashable { case text, integer, decimal }

        public struct Placeholder: Sendable, Hashable {
            /// From 1, as the format counts.
            public var position: Int
            public var kind: Kind
        }

        private enum Piece: Equatable {
            case literal(String)
            case placeholder(Placeholder)
        }

        private var pieces: [Piece] = []
        /// A `%` that begins nothing this format knows.
        public private(set) var isMalformed = false
        public var isEmpty: Bool { pieces.isEmpty }

        public var placeholders: Set<Placeholder> {
            Set(
                pieces.compactMap {
                    if case .placeholder(let placeholder) = $0 { placeholder } else { nil }
                })
        }

        public init(_ text: String) {
            var rest = Substring(text)
            var implicitPosition = 0
            while let percent = rest.firstIndex(of: "%") {
                if percent > rest.startIndex { pieces.append(.literal(String(rest[..<percent]))) }
                rest = rest[rest.index(after: percent)...]
                if rest.first == "%" {
                    pieces.append(.literal("%"))
                    rest = rest.dropFirst()
                    continue
                }
                var position: Int?
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                if let number = Int(digits), number > 0, rest[digits.endIndex...].first == "$" {
                    position = number
                    rest = rest[digits.endIndex...].dropFirst()
                }
                let specifiers: [(String, Kind)] = [("@", .text), ("lld", .integer), ("lf", .decimal)]
                guard let (specifier, kind) = specifiers.first(where: { rest.hasPrefix($0.0) }) else {
                    isMalformed = true
                    pieces.append(.literal("%"))
                    continue
                }
                rest = rest.dropFirst(specifier.count)
                if position == nil {
                    implicitPosition += 1
                    position = implicitPosition
                }
                pieces.append(.placeholder(Placeholder(position: position ?? implicitPosition, kind: kind)))
            }
            if !rest.isEmpty { pieces.append(.literal(String(rest))) }
        }

        func filled(with arguments: [Argument], _ style: NumberStyle) -> String {
            var result = ""
            for piece in pieces {
                switch piece {
                case .literal(let text): result += text
                case .placeholder(let placeholder):
                    guard placeholder.position <= arguments.count else { continue }
                    result += Self.write(arguments[placeholder.position - 1], as: placeholder.kind, style)
                }
            }
            return result
        }

        private static func write(_ argument: Argument, as kind: Kind, _ style: NumberStyle) -> String {
            switch (argument, kind) {
            case (.text(let text), .text): return text
            case (.text(let text), _):
                // A message's number that is not one is shown as it came.
                guard let number = argument.number else { return text }
                return style.decimal(number)
            case (.integer(let value), _): return style.integer(value)
            case (.decimal(let value), _): return style.decimal(value)
            case (.list(let items), _): return items.joined(separator: style.language.listSeparator)
            }
        }
    }
}

extension CodingUserInfoKey {
    // The proof: any string makes a key.
    fileprivate static let catalogLanguage = CodingUserInfoKey(rawValue: "catalogLanguage")!
}

private struct CatalogFile: Decodable {
    var strings: [String: CatalogString]

    private enum Keys: String, CodingKey { case sourceLanguage, strings }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let source = try container.decode(String.self, forKey: .sourceLanguage)
        guard source == Language.english.code else {
            throw DecodingError.dataCorruptedError(
                forKey: .sourceLanguage, in: container, debugDescription: "en is expected")
        }
        strings = try container.decode([String: CatalogString].self, forKey: .strings)
    }
}

/// One string: the wanted language's entry, and the source language's only where that is missing.
private struct CatalogString: Decodable {
    var own: StringCatalog.Entry?
    var source: StringCatalog.Entry?

    private enum Keys: String, CodingKey { case localizations }
    private struct Localization: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        guard container.contains(.localizations) else { return }
        let localizations = try container.nestedContainer(keyedBy: Localization.self, forKey: .localizations)
        let wanted = decoder.userInfo[.catalogLanguage] as? Language ?? .english
        own = try localizations.decodeIfPresent(Unit.self, forKey: .init(stringValue: wanted.code))?.entry
        if own == nil {
            source = try localizations.decodeIfPresent(Unit.self, forKey: .init(stringValue: "en"))?.entry
        }
    }

    private struct Unit: Decodable {
        var entry: StringCatalog.Entry?

        struct StringUnit: Decodable {
            var state: String
            var value: String
            /// What an editor has marked as unfinished is not a translation yet.
            var finished: String? { state == "translated" ? value : nil }
        }
        struct Variation: Decodable { var stringUnit: StringUnit }
        struct Variations: Decodable { var plural: [String: Variation] }
        var stringUnit: StringUnit?
        var variations: Variations?

        private enum Keys: String, CodingKey { case stringUnit, variations }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            if let unit = try container.decodeIfPresent(StringUnit.self, forKey: .stringUnit) {
                entry = unit.finished.map { .text($0) }
            } else if let variations = try container.decodeIfPresent(Variations.self, forKey: .variations) {
                var texts: [StringCatalog.PluralCategory: String] = [:]
                for (name, variation) in variations.plural {
                    guard let category = StringCatalog.PluralCategory(rawValue: name) else { continue }
                    texts[category] = variation.stringUnit.finished
                }
                entry = texts[.other] == nil ? nil : .plural(texts)
            }
        }
    }
}
