import Foundation

/// The tables that lie next to a class's submissions, or in the report's folder: who is in the class, and what the platforms
/// want their marks to be written into.
public struct ClassTables: Sendable {
    public var roster: PlatformTable?
    /// Moodle's grading worksheet.
    public var moodle: PlatformTable?
    /// Canvas's exported gradebook.
    public var canvas: PlatformTable?

    /// What is wrong in a table.
    public enum Mistake: Error, Sendable, Equatable {
        /// No column of the roster says who somebody is.
        case rosterColumns(found: [String])
        case rosterTwice(String)
        /// Which of these assignments is meant cannot be told.
        case canvasSeveralAssignments([String])
        case canvasNoAssignment(found: [String])
    }

    public init() {}

    /// - Parameter files: by name; the first of two with one name counts.
    public init(_ files: [(name: String, bytes: [UInt8])]) {
        let tables = files.map { (name: $0.name.lowercased(), table: PlatformTable($0.bytes)) }
        func named(_ name: String) -> PlatformTable? { tables.first { $0.name == name }?.table }
        roster = named(Roster.fileName)
        // A roster may be a copy of one of the others. Exports have dates in their names: the last one is the newest.
        let others = tables.filter { $0.name != Roster.fileName }.sorted { $0.name < $1.name }.map(\.table)
        moodle = named("moodle.csv") ?? others.last(where: MoodleMarks.isWorksheet)
        canvas = named("canvas.csv") ?? others.last(where: CanvasMarks.isGradebook)
    }

    /// The names that a table has in the report's folder.
    public static let fileNames = [Roster.fileName, "moodle.csv", "canvas.csv"]

    /// The roster, if there is one and the other tables can be used for these formats.
    public func checked(for formats: [String]) throws(Mistake) -> Roster? {
        if formats.contains(CanvasMarks.name), let canvas { _ = try CanvasMarks.assignment(of: canvas) }
        guard let roster else { return nil }
        return try Roster(roster)
    }
}
