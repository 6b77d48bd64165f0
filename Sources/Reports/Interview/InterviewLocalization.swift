import Foundation
import Workbook

/// The texts about an interview in one language.
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

    /// A verdict of a session in words.
    func report(_ verdict: Verdict, of kata: Kata) throws -> CheckReport.KataReport {
        // A workbook that has lost the kata has lost its words as well: the tests' own names stand in.
        let texts = try texts[kata.kata] ?? KataTexts(Self.noTexts, language: language)
        return CheckReport.KataReport(LocalizedVerdict(verdict, kata: kata, texts: texts), strings: strings)
    }

    private static let noTexts = Data(#"{"sourceLanguage":"en","strings":{},"version":"1.0"}"#.utf8)

    /// What a hint said; `nil` where the workbook does not have it any more.
    func words(of hint: InterviewRecord.Hint, in record: InterviewRecord) -> String? {
        let kata = record.plan.katas.first { $0.kata == hint.kata }
        guard let test = kata?.tests.first(where: { $0.id == hint.test }) else { return nil }
        return texts[hint.kata]?.hint(hint.level, for: test, in: record.verdict(at: hint), general: strings)
    }
}
