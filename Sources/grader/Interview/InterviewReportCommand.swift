import Foundation
import Reports
import Storage
import Workbook

/// `grader interview report`: the replay of a session.
struct InterviewReportCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let folder = InterviewFolder(context.folder(context.request.operands[0]))
        let contents = try context.interview(in: folder)
        let (localization, solutions) = try context.interviewMaterials(for: [(folder, contents.record)])
        let replay = ReplayPage(
            context.request.showsObserver ? contents.record : contents.record.withoutObserver,
            localization: localization, solutions: solutions, hasJournal: contents.hasJournal)
        let page: URL
        do {
            // What is all that is left of a session is not written over.
            if contents.hasJournal { try folder.write(contents.record) }
            page = try InterviewReportFolder.write(replay, to: folder.url)
        } catch {
            throw CommandError(
                message: context.strings.reports(
                    LocalizableMessage(.folderNotWritable, context.typed(folder.url), error.localizedDescription)),
                code: .trouble)
        }
        for remark in contents.record.remarks(localization.interview, hasJournal: contents.hasJournal) {
            context.console.say(remark)
        }
        context.console.print(context.strings(.gradeDone, .text(page.path)))
        return .passed
    }
}
