import Workbook

/// The words that a page's script looks up by their keys.
struct PageStringTable: Encodable {
    private let plain: [String: String]
    private let reports: ReportStrings

    // A placeholder stays one, for the script to fill.
    private static let placeholders = (1...3).map { StringCatalog.Argument.text("%\($0)$@") }

    init<Own>(_ own: LocalizedStrings<Own>, page: PageStrings, reports: ReportStrings) {
        let words = Own.allCases.map { ($0.rawValue, own.catalog.text($0.rawValue, Self.placeholders)) }
        self.init(Dictionary(words) { first, _ in first }, page: page, reports: reports)
    }

    /// - Parameter own: the page's own words: no more than its reader may see.
    init(_ own: [String: String], page: PageStrings, reports: ReportStrings) {
        self.reports = reports
        var plain: [String: String] = [:]
        for key in PageKey.allCases { plain[key.rawValue] = page.catalog.text(key.rawValue, Self.placeholders) }
        plain.merge(own) { $1 }
        plain["listSeparator"] = page.language.listSeparator
        plain["input"] = reports(.labelInput)
        plain["expected"] = reports(.labelExpected)
        plain["actual"] = reports(.labelActual)
        plain["kata"] = reports(.labelKata)
        plain["points"] = reports(.labelPoints)
        plain["state"] = reports(.labelState)
        plain["hints"] = reports(.labelHints)
        self.plain = plain
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (key, text) in plain { try container.encode(text, forKey: Key(stringValue: key)) }
        let outcomes: [Verdict.Outcome] = [.notStarted, .didNotCompile, .failed, .passed, .mastered, .rejected]
        try container.encode(
            Dictionary(uniqueKeysWithValues: outcomes.map { ($0.rawValue, reports($0)) }),
            forKey: Key(stringValue: "outcomes"))
        let tests: [TestVerdict.Outcome] = [.passed, .failed, .crashed, .timedOut, .notRun]
        try container.encode(
            Dictionary(uniqueKeysWithValues: tests.map { ($0.rawValue, reports($0)) }),
            forKey: Key(stringValue: "testOutcomes"))
        let tiers = [KataTest.Tier.core.rawValue: ReportKey.tierCore, KataTest.Tier.robust.rawValue: .tierRobust]
        try container.encode(tiers.mapValues { reports($0) }, forKey: Key(stringValue: "tiers"))
    }
}
