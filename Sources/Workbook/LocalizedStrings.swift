import Foundation

/// A catalog whose keys the compiler knows: a key that is misspelled does not build, and a test proves that each one
/// has its text in every language.
public struct LocalizedStrings<Key: RawRepresentable & CaseIterable & Sendable>: Sendable where Key.RawValue == String {
    public let catalog: StringCatalog
    public var language: Language { catalog.language }
    public var numbers: NumberStyle { NumberStyle(language) }

    public init(contentsOf file: URL, language: Language) throws {
        catalog = try StringCatalog(contentsOf: file, language: language)
    }

    public func callAsFunction(_ key: Key, _ arguments: StringCatalog.Argument...) -> String {
        catalog.text(key.rawValue, arguments)
    }
}
