import Foundation
import Workbook

/// The forms in which a learning platform's own runner takes the result of one submission.
public enum SubmissionFormat: String, CaseIterable, Sendable {
    case gradescope, exercism, junit, json

    /// One submission's result, as the platform reads it.
    public func text(_ record: LearnerRecord, katas: [Kata], seed: UInt64, localization: GradebookLocalization) throws
        -> String
    {
        let report = LearnerReport(record, katas: katas, localization: localization)
        switch self {
        case .gradescope: return try PlainText.json(GradescopeReport(report)) + "\n"
        case .exercism: return try PlainText.json(ExercismReport(report)) + "\n"
        case .junit: return JUnitReport.text(report)
        case .json:
            return try PlainText.json(CheckReport(language: localization.language, seed: seed, katas: report.katas))
                + "\n"
        }
    }
}
