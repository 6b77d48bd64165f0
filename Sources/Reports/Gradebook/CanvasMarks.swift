import Foundation
import Workbook

/// `canvas/grades.csv`, the gradebook to import.
///
/// As Canvas's own code reads and writes it, in `lib/gradebook_importer.rb` and `lib/gradebook_exporter.rb`: the first column
/// is Student, the second ID, and Section ends the learner's columns; an assignment is `Name (id)`, and the row
/// "    Points Possible" has its points. A learner is found by ID, then by the SIS columns, then by name. The name of an assignment
/// that the course does not have makes a new one.
struct CanvasMarks: MarksFormat {
    static let name = "canvas"

    private let gradebook: PlatformTable?
    private var marks = PlatformMarks()
    private let katas: [Kata]

    init(_ tables: ClassTables, _ header: ClassHeader) throws(ClassTables.Mistake) {
        gradebook = tables.canvas
        katas = header.katas
        if let table = tables.canvas { _ = try Self.assignment(of: table) }
    }

    static func isGradebook(_ table: PlatformTable) -> Bool {
        table.columns.first == "Student" && table.columns.dropFirst().first == "ID" && table.column("section") != nil
    }

    /// The column of the only assignment. Sums have no id, and cannot be written.
    static func assignment(of table: PlatformTable) throws(ClassTables.Mistake) -> Int {
        let points = table.body.first { table.text($0, 0).contains("Points Possible") }
        let columns = table.columns.indices.filter { column in
            let isReadOnly = points.map { table.text($0, column).contains("read only") } ?? false
            return !isReadOnly && table.columns[column].wholeMatch(of: /.+\s\([0-9]+\)/) != nil
        }
        guard let column = columns.first else { throw .canvasNoAssignment(found: table.columns) }
        guard columns.count == 1 else { throw .canvasSeveralAssignments(columns.map { table.columns[$0] }) }
        return column
    }

    mutating func add(_ report: LearnerReport) -> [String: String] {
        marks.add(report)
        return [:]
    }

    mutating func closing() throws -> (files: [String: Data], unplaced: [String]) {
        let data = try gradebook.map { try filled($0) } ?? made()
        return (["grades.csv": data], marks.unplaced)
    }

    private mutating func filled(_ table: PlatformTable) throws -> Data {
        var table = table
        let column = try Self.assignment(of: table)
        let (number, login) = (table.column("id"), table.column("sis login id"))
        let points = table.body.first { table.text($0, 0).contains("Points Possible") }
        let most = points.map { table.text($0, column) } ?? ""
        marks.addNames(ofRows: table.body.map { table.text($0, 0) })
        for row in table.body where row != points {
            let mark = marks.take(
                number: table.text(row, number), email: table.text(row, login), name: table.text(row, 0))
            // A learner who is excused stays so, and so does one who does not have the assignment.
            guard let mark, !["EX", "N/A"].contains(table.text(row, column)) else { continue }
            table.set(row, column, to: mark.grade(most: most))
        }
        return table.data
    }

    /// A gradebook made from what the names of the submissions say.
    private mutating func made() -> Data {
        let assignment = katas.map(\.kata).joined(separator: " ")
        let most = PlatformMarks.hundredths(katas.reduce(0) { $0 + $1.maxPoints })
        var lines = [
            ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", PlatformTable.field(assignment)],
            ["    Points Possible", "", "", "", "", most],
        ]
        for (index, mark) in marks.all.enumerated() where mark.numbers.count == 1 && mark.maxPoints > 0 {
            marks.place(index)
            lines.append([
                PlainText.csv(mark.learner), PlainText.csv(mark.numbers[0]), "", "", "", mark.grade(most: ""),
            ])
        }
        return Data(lines.map { $0.joined(separator: ",") + "\n" }.joined().utf8)
    }
}
