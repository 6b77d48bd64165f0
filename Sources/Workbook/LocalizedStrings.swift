import Foundation

/// The keys of a String Catalog.
public protocol CatalogKey: RawRepresentable<String>, CaseIterable, Sendable {
    /// The file in which each of them has its texts.
    static var catalog: URL { get }
}

/// A catalog whose keys the compiler knows: a key that is misspelled does not build, and a test proves that each one
/// has its text in every language.
public struct LocalizedStrings<Key: CatalogKey>: Sendable {
    public let catalog: StringCatalog
    public var language: Language { catalog.language }
    public var numbers: NumberStyle { NumberStyle(language) }

    public init(_ language: Language) throws {
        catalog = try StringCatalog(contentsOf: Key.catalog, language: language)
    }

    public func callAsFunction(_ key: Key, _ arguments: StringCatalog.Argument...) -> String {
        catalog.text(key.rawValue, arguments)
    }
}
