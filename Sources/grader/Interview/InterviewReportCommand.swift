import Foundation
import Reports
import Workbook

/// `grader interview report`: the replay of a session.
struct InterviewReportCommand: Sendable {
    let seat: Seat

    func run() throws -> ExitCode {
        let folder = InterviewFolder(seat.folder(seat.request.operands[0]))
        let contents = try seat.interview(in: folder)
        let (voice, solutions) = try seat.interviewMaterials(for: [(folder, contents.record)])
        let replay = ReplayPage(
            contents.record, voice: voice, solutions: solutions, hasJournal: contents.hasJournal)
        let page: URL
        do {
            // What is all that is left of a session is not written over.
            if contents.hasJournal { try folder.write(contents.record) }
            page = try InterviewReportFolder.write(replay, to: folder.url)
        } catch {
            throw Stop(
                sentence: seat.words.reports(
                    Statement(.folderNotWritable, seat.typed(folder.url), error.localizedDescription)), code: .trouble)
        }
        for remark in contents.record.remarks(voice.interview, hasJournal: contents.hasJournal) {
            seat.console.say(remark)
        }
        seat.console.print(seat.words(.gradeDone, .text(page.path)))
        return .passed
    }
}
