import Foundation
import Workbook

/// A form in which results are written. To add one: a type, and its place in `ReportFormats.all`.
public protocol ReportFormat: Sendable {
    /// As `--format` names it.
    static var name: String { get }
}

/// A class's results in one file, written a learner at a time: a class of any size needs the memory of one learner.
protocol ClassFileFormat: ReportFormat {
    static var fileName: String { get }
    init(_ header: ClassHeader, _ localization: GradebookLocalization, _ policy: GradingPolicy) throws
    func opening() throws -> String
    func learner(_ report: LearnerReport, isFirst: Bool) throws -> String
    func closing(_ totals: GradebookTotals) throws -> String
}

/// A class's results in a folder of files for each learner.
protocol LearnerFilesFormat: ReportFormat {
    /// The files of a learner, by their paths in the format's folder.
    ///
    /// - Parameter name: a file name that no other learner has.
    static func files(of report: LearnerReport, name: String) throws -> [String: String]
}

/// A class's marks as a learning platform imports them: its own table, filled in when all learners have gone by.
protocol MarksFormat: ReportFormat {
    init(_ tables: ClassTables, _ header: ClassHeader) throws
    /// The files of a learner, by their paths in the format's folder.
    mutating func add(_ report: LearnerReport) throws -> [String: String]
    /// The files of the class, by their paths, and the learners who have points that are in none of them.
    mutating func closing() throws -> (files: [String: Data], unplaced: [String])
}

/// One submission's results, as a learning platform's own runner reads them.
public protocol SubmissionFormat: ReportFormat {
    static func text(_ report: LearnerReport, seed: UInt64, language: Language) throws -> String
}

public enum ReportFormats {
    static let all: [any ReportFormat.Type] = [
        GradebookCSV.self, GradebookPage.self, LearnerPage.self, JUnitReport.self, GradescopeReport.self,
        ExercismReport.self,
        GradebookJSON.self, MoodleMarks.self, CanvasMarks.self,
    ]

    /// The formats of a class that are written where none is chosen. `gradebook.json` is always there.
    public static let forClasses: [String] = all.filter {
        ($0 is any ClassFileFormat.Type || $0 is any LearnerFilesFormat.Type) && $0 != GradebookJSON.self
    }.map { $0.name }

    /// The formats that name their learners: marks that go back to a platform.
    public static let forPlatforms: [String] = all.filter { $0 is any MarksFormat.Type }.map { $0.name }

    /// The formats of a class that can be chosen.
    public static let choosable: [String] = forClasses + forPlatforms

    public static let forSubmissions: [any SubmissionFormat.Type] = all.compactMap { $0 as? any SubmissionFormat.Type }

    /// The format that is looked at first.
    public static let page: String = GradebookPage.name

    /// The format that shows the code of a suite.
    public static let showingTestCode: String = ExercismReport.name

    /// The formats that show the code of learners.
    public static let showingCode: [String] = [LearnerPage.name, MoodleMarks.name]

    /// What is written where no format is chosen for a submission.
    public static let standard: any SubmissionFormat.Type = GradebookJSON.self
}
