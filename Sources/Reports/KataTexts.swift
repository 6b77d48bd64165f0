import Foundation
import Workbook

/// What one kata says to a person: titles, hints, and what passing it achieved.
///
/// The texts are the kata's own (`Hints.xcstrings`), so a new kata needs no change of the grader.
public struct KataTexts: Sendable {
    private let catalog: StringCatalog

    public init(contentsOf file: URL, language: Language) throws {
        catalog = try StringCatalog(contentsOf: file, language: language)
    }

    public init(_ data: Data, language: Language) throws {
        catalog = try StringCatalog(data, language: language)
    }

    public func title(of test: KataTest) -> String {
        let key = "\(test.hint).title"
        return catalog.has(key) ? catalog.text(key) : test.id
    }

    /// The hint of a level from 1 to 3 that the verdict calls for.
    public func hint(_ level: Int, for test: KataTest, in verdict: Verdict?) -> String {
        let found = verdict.map(test.hint) ?? test.hint
        let key = "\(found).\(level)"
        return catalog.text(catalog.has(key) ? key : "\(test.hint).\(level)")
    }

    /// What passing the kata achieved.
    public var achieved: String { catalog.text("kata.achieved") }

    /// What mastering the kata would add.
    public var mastering: String { catalog.text("kata.mastering") }
}
