import Foundation
import Workbook

/// The words that a practice session is told in: one language's.
public struct InterviewVoice: Sendable {
    public var words: ReportWords
    public var interview: InterviewReportWords
    /// The katas' own words, by kata.
    public var texts: [String: KataTexts]
    public var language: Language { words.language }

    public init(words: ReportWords, interview: InterviewReportWords, texts: [String: KataTexts]) {
        self.words = words
        self.interview = interview
        self.texts = texts
    }
}
