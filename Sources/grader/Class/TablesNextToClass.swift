import Foundation
import Grading
import Reports
import Workbook

/// The tables of a class: those in the report's folder, and those that lie next to the submissions.
struct TablesNextToClass {
    let context: CommandContext

    /// Of a class that is still to be graded; what an archive has is not known yet.
    func check(_ folder: URL, report: URL) throws(CommandError) {
        _ = try read(KeptTables.all(in: folder), report: report)
    }

    /// Of what was graded into these folders.
    func read(_ folders: [URL], report: URL) throws(CommandError) -> (tables: ClassTables, roster: Roster?) {
        try read(KeptTables(of: folders).all, report: report)
    }

    private func read(
        _ files: [(name: String, bytes: [UInt8])], report: URL
    ) throws(CommandError) -> (tables: ClassTables, roster: Roster?) {
        let own = KeptTables.all(in: report).filter { ClassTables.fileNames.contains($0.name.lowercased()) }
        let tables = ClassTables(own + files)
        do throws(ClassTables.Mistake) {
            return (tables, try tables.checked(for: context.request.formats))
        } catch {
            throw CommandError(message: text(error), code: .trouble)
        }
    }

    private func text(_ mistake: ClassTables.Mistake) -> String {
        func quoted(_ names: [String]) -> StringCatalog.Argument {
            .list(names.map { "`\(context.console.plain($0))`" })
        }
        return switch mistake {
        case .rosterColumns(let found): context.strings(.rosterColumns, quoted(found))
        case .rosterTwice(let name): context.strings(.rosterTwice, .text(context.console.plain(name)))
        case .canvasSeveralAssignments(let names): context.strings(.canvasSeveral, quoted(names))
        case .canvasNoAssignment(let found): context.strings(.canvasNone, quoted(found))
        }
    }
}
