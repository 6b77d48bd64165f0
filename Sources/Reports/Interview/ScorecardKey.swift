import Foundation
import Workbook

/// What a scorecard says. It has a catalog of its own, because a page has all words of its catalog, and no page that a
/// candidate can read has these.
public enum ScorecardKey: String, CaseIterable, Sendable {
    case title
    case spread
    case apart
    case recommendation = "item.recommendation"
    case concurrency = "item.concurrency"
    case decisions = "item.decisions"
    case tests = "item.tests"
    case focus = "item.focus"
    case strongNo = "recommendation.1"
    case no = "recommendation.2"
    case yes = "recommendation.3"
    case strongYes = "recommendation.4"
    case concurrencyTwo = "concurrency.2"
    case concurrencyFour = "concurrency.4"
    case decisionsTwo = "decisions.2"
    case decisionsFour = "decisions.4"
    case testsTwo = "tests.2"
    case testsFour = "tests.4"
    case focusTwo = "focus.2"
    case focusFour = "focus.4"
    case anchor
}

extension ScorecardKey: CatalogKey {
    public static var catalog: URL { Bundle.module.bundleURL.appendingPathComponent("Scorecard.xcstrings") }
}

public typealias ScorecardStrings = LocalizedStrings<ScorecardKey>

extension LocalizedStrings where Key == ScorecardKey {
    public func name(of item: InterviewScore.Item) -> String { text("item.\(item.rawValue)") }

    /// What a mark means: each of a recommendation, and those of the rest that are anchors.
    public func meaning(of mark: Int, _ item: InterviewScore.Item) -> String? {
        ScorecardKey(rawValue: "\(item.rawValue).\(mark)").map { self($0) }
    }

    /// A mark as it is shown: a word for a recommendation.
    public func shown(_ mark: Int, of item: InterviewScore.Item) -> String {
        guard item == .recommendation else { return "\(mark)/\(item.marks.upperBound)" }
        return meaning(of: mark, item) ?? "\(mark)"
    }

    private func text(_ key: String) -> String { ScorecardKey(rawValue: key).map { self($0) } ?? key }
}
