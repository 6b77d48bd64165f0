import Foundation
import Workbook

/// What a class over time says in addition to what a gradebook says.
public enum OverTimeKey: String, CaseIterable, Sendable {
    case title
    /// Stands at a learner.
    case fellBehind
    /// Who fell behind, in a sentence.
    case rule
    case average
    /// The learner is not in the report.
    case absent
    case share
    case theme
    case themes
    case curve
}

extension OverTimeKey: CatalogKey {
    public static var catalog: URL { Bundle.module.bundleURL.appendingPathComponent("OverTime.xcstrings") }
}

public typealias OverTimeStrings = LocalizedStrings<OverTimeKey>

/// What the reports of a class over time are written with, in one language.
public struct OverTimeLocalization: Sendable {
    let strings: ReportStrings
    let gradebook: GradebookStrings
    let overTime: OverTimeStrings
    let page: PageStrings

    var language: Language { strings.language }

    public init(_ strings: ReportStrings) throws {
        self.strings = strings
        gradebook = try GradebookStrings(strings.language)
        overTime = try OverTimeStrings(strings.language)
        page = try PageStrings(strings.language)
    }

    /// A theme of a newer workbook has no title here.
    func title(ofTheme theme: String) -> String { Theme(rawValue: theme).map { strings(ReportKey($0)) } ?? theme }
}
