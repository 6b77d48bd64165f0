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

/// A time of a session as a clock shows it, the same in every language: `4:05`, `1:04:05`.
public enum SessionClock {
    public static func text(_ seconds: Double) -> String {
        let whole = seconds.isFinite ? Int(min(max(seconds, 0), 1e9)) : 0
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        let rest = (whole % 60 < 10 ? "0" : "") + "\(whole % 60)"
        return hours > 0 ? "\(hours):" + (minutes < 10 ? "0" : "") + "\(minutes):\(rest)" : "\(minutes):\(rest)"
    }
}
