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
    ///
    /// - Parameter general: has the hints that are the same for all katas.
    public func hint(_ level: Int, for test: KataTest, in verdict: Verdict?, general: ReportStrings) -> String {
        let key = "\(verdict.map(test.hint) ?? test.hint).\(level)"
        if catalog.has(key) { return catalog.text(key) }
        return ReportKey(rawValue: key).map { general($0) } ?? ownHint(level, for: test)
    }

    /// The test's own hint of a level.
    public func ownHint(_ level: Int, for test: KataTest) -> String { catalog.text("\(test.hint).\(level)") }

    /// What passing the kata achieved.
    public var achieved: String { catalog.text("kata.achieved") }

    /// What mastering the kata would add.
    public var mastering: String { catalog.text("kata.mastering") }
}
