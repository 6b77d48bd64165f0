import Foundation
import Reports
import Storage
import Workbook

/// `grader interview report`: the replay of a session.
///
/// It is in the candidate's folder, so it has nothing of the observer's. With that, it is next to the observer's file.
struct InterviewReportCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let folder = InterviewFolder(context.folder(context.request.operands[0]))
        let contents = try context.interview(in: folder)
        let isObserved = context.request.showsObserver && contents.record.isObserved
        let record = isObserved ? contents.record : contents.record.withoutObserver
        let (localization, solutions) = try context.interviewMaterials(for: [(folder, record)])
        let replay = ReplayPage(
            record, localization: localization, solutions: solutions, hasJournal: contents.hasJournal)
        let candidates = CandidatePage(record, localization: localization)
        var page = folder.observedReplay
        do {
            // What is all that is left of a session is not written over.
            if contents.hasJournal { try folder.update(contents.record) }
            if context.request.isForCandidate {
                page = try InterviewReportFolder.write(candidates, to: folder.url)
            } else if isObserved {
                try folder.writeObserved(record, replay: replay.text())
            } else {
                page = try InterviewReportFolder.write(replay, to: folder.url)
            }
        } catch {
            let place = isObserved ? page.deletingLastPathComponent() : folder.url
            throw CommandError(
                message: context.strings.reports(
                    LocalizableMessage(
                        .folderNotWritable, context.typed(place), context.strings.reason(SystemFailure(error)))),
                code: .trouble)
        }
        for remark in contents.record.remarks(localization.interview, hasJournal: contents.hasJournal) {
            context.console.say(remark)
        }
        let strings = try InterviewStrings(context.language)
        if context.request.showsObserver, !isObserved {
            context.console.say(strings(.reportUnobserved, .text(context.typed(folder.observer))))
        }
        context.console.print(context.strings(.gradeDone, .text(page.path)))
        if isObserved { context.console.print(strings(.reportObserved, .text(folder.observedSession.path))) }
        return .passed
    }
}
