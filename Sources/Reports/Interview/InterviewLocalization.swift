import Foundation
import Workbook

/// The texts about a practice session in one language.
public struct InterviewLocalization: Sendable {
    public var strings: ReportStrings
    public var interview: InterviewReportStrings
    /// The katas' own words, by kata.
    public var texts: [String: KataTexts]
    public var language: Language { strings.language }

    public init(strings: ReportStrings, interview: InterviewReportStrings, texts: [String: KataTexts]) {
        self.strings = strings
        self.interview = interview
        self.texts = texts
    }
}
