import Foundation
import Workbook

/// `moodle/grades.csv`, the grading worksheet to upload, and `moodle/feedback`, whose folders are the zip of "Upload multiple
/// feedback files in a zip".
///
/// As Moodle's own code reads them, in `mod/assign/feedback/offline/importgradeslib.php` and
/// `mod/assign/feedback/file/importziplib.php`: the worksheet needs the columns Identifier, Grade and Last modified (grade), the
/// number of a learner stands behind "Participant ", and a folder is `name_number_assignsubmission_file`, with or without
/// another `_` at its end. A grade above the assignment's maximum is passed over.
struct MoodleMarks: MarksFormat {
    static let name = "moodle"

    private static let columns = [
        "Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade", "Grade can be changed",
        "Last modified (submission)", "Last modified (grade)", "Feedback comments",
    ]

    private let worksheet: PlatformTable?
    private var marks = PlatformMarks()

    init(_ tables: ClassTables, _ header: ClassHeader) { worksheet = tables.moodle }

    static func isWorksheet(_ table: PlatformTable) -> Bool {
        table.column("identifier") != nil && table.column("grade") != nil
            && table.column("last modified (grade)") != nil
    }

    mutating func add(_ report: LearnerReport) throws -> [String: String] {
        marks.add(report)
        guard let number = report.record.identity?.number, number.allSatisfy(\.isWholeNumber) else { return [:] }
        let pages = try LearnerPage.files(of: report, name: "feedback")
        return Dictionary(uniqueKeysWithValues: pages.map { ("feedback/\(folder(report.record, number))/\($0)", $1) })
    }

    /// As the export named it, else in the form that every version of Moodle reads. What stands before the first `_` is the name for Moodle.
    private func folder(_ record: LearnerRecord, _ number: String) -> String {
        let own = record.sources.first { source in
            source.wholeMatch(of: /[^_]+_[0-9]+_assignsubmission_file_?/) != nil
                && ReportFileNames.name(for: source) == source
        }
        if let own { return own }
        let name = ReportFileNames.name(for: record.learner.replacing("_", with: " "))
        return "\(name.replacing("_", with: " "))_\(number)_assignsubmission_file_"
    }

    mutating func closing() -> (files: [String: Data], unplaced: [String]) {
        let data = worksheet.map { filled($0) } ?? made()
        return (["grades.csv": data], marks.unplaced)
    }

    private mutating func filled(_ table: PlatformTable) -> Data {
        var table = table
        let (identifier, grade) = (table.column("identifier"), table.column("grade"))
        let (name, email) = (table.column("full name"), table.column("email address"))
        let (most, isOpen) = (table.column("maximum grade"), table.column("grade can be changed"))
        let feedback = table.column("feedback comments")
        marks.addNames(ofRows: table.body.map { table.text($0, name) })
        for row in table.body {
            guard
                let mark = marks.take(
                    number: Roster.number(table.text(row, identifier)), email: table.text(row, email),
                    name: table.text(row, name))
            else { continue }
            // Moodle passes over a grade that is locked.
            if table.text(row, isOpen).lowercased() == "no" { continue }
            table.set(row, grade, to: mark.capped.grade(most: table.text(row, most)))
            table.set(row, feedback, to: Self.html(mark.feedback))
        }
        return table.data
    }

    /// A worksheet made from the numbers of the export's folders.
    private mutating func made() -> Data {
        var lines = [Self.columns.map(PlatformTable.field)]
        for (index, mark) in marks.all.enumerated() where mark.numbers.count == 1 && mark.maxPoints > 0 {
            marks.place(index)
            lines.append(
                [
                    PlatformTable.field("Participant \(mark.numbers[0])"), PlainText.csv(mark.learner),
                    PlainText.csv(mark.emails.first ?? ""), "",
                    mark.capped.grade(most: ""), PlatformMarks.hundredths(mark.maxPoints), "Yes", "-", "-",
                    PlatformTable.field(Self.html(mark.feedback)),
                ])
        }
        return Data(lines.map { $0.joined(separator: ",") + "\n" }.joined().utf8)
    }

    /// Moodle shows comments as HTML. No spreadsheet takes one for a formula: it begins with a kata's name, or is a sentence.
    private static func html(_ text: String) -> String { PlainText.xml(text) }
}

extension PlatformMarks.Mark {
    /// Moodle passes over a grade above the maximum.
    fileprivate var capped: Self {
        var mark = self
        mark.points = min(points, maxPoints)
        return mark
    }
}
