import Foundation
import Reports
import Workbook

/// `grader interview compare`: sessions on the same katas side by side.
struct InterviewCompareCommand: Sendable {
    let seat: Seat

    func run() throws -> ExitCode {
        let request = seat.request
        let folders = request.operands.map { InterviewFolder(seat.folder($0)) }
        let contents = try folders.map { try seat.interview(in: $0) }
        let (voice, solutions) = try seat.interviewMaterials(for: Array(zip(folders, contents.map(\.record))))
        let comparison = InterviewComparison(
            contents.map(\.record), isWithoutJournal: Set(contents.indices.filter { !contents[$0].hasJournal }),
            blind: request.blind)
        var done: String?
        if let report = request.report {
            let folder = seat.folder(report)
            do {
                let page = try InterviewReportFolder.write(
                    comparison, to: folder, voice: voice, solutions: solutions)
                done = seat.words(.gradeDone, .text(comparison.blinding(page.path)))
            } catch {
                let path = comparison.blinding(folder.path)
                throw Stop(
                    sentence: seat.words.reports(
                        Statement(.folderNotWritable, path, comparison.blinding(error.localizedDescription))),
                    code: .trouble)
            }
        }
        if request.json {
            seat.console.printVerbatim(
                JSONText.of(InterviewComparisonReport(comparison, words: voice.interview)))
            if let done { seat.console.say(done) }
            return .passed
        }
        for remark in comparison.remarks(voice.interview) {
            seat.console.say(TextStyle.harmless(seat.console.plain(remark)))
        }
        seat.console.print(
            InterviewComparisonText(comparison, voice: voice, style: seat.style)
                .lines(columns: seat.console.lineWidth))
        if let done { seat.console.print("", done) }
        return .passed
    }
}
