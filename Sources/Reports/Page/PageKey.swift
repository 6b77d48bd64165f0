import Foundation
import Workbook

/// What every page says in addition to what every report says.
public enum PageKey: String, CaseIterable, Sendable {
    case noScript
    case code
    case hint
    case output
    case marbles
    case schedule
    case difference
    case legend
    case none
    case test
    case tests
    case seed
    /// A label and what belongs to it.
    case labelled
    /// A text and an addition in brackets.
    case bracketed
}

extension PageKey: CatalogKey {
    public static var catalog: URL { Bundle.module.bundleURL.appendingPathComponent("Page.xcstrings") }
}

public typealias PageStrings = LocalizedStrings<PageKey>
