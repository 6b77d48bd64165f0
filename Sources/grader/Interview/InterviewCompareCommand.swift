import Foundation
import Reports
import Storage
import Workbook

/// `grader interview compare`: sessions on the same katas side by side.
struct InterviewCompareCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let request = context.request
        let folders = request.operands.map { InterviewFolder(context.folder($0)) }
        let report = request.report.map(context.folder)
        // A candidate has such a folder, and the report has what others wrote, and the observer's marks.
        if let report, folders.contains(where: { $0.contains(report) }) {
            throw CommandError(message: try InterviewStrings(context.language)(.reportInSession), code: .usage)
        }
        var contents = try folders.map { try context.interview(in: $0) }
        if !request.showsObserver {
            for index in contents.indices { contents[index].record = contents[index].record.withoutObserver }
        }
        let (localization, solutions) = try context.interviewMaterials(for: Array(zip(folders, contents.map(\.record))))
        let comparison = InterviewComparison(
            contents.map(\.record), isWithoutJournal: Set(contents.indices.filter { !contents[$0].hasJournal }),
            blind: request.blind)
        var done: String?
        if let folder = report {
            do {
                let page = try InterviewReportFolder.write(
                    comparison, to: folder, localization: localization, solutions: solutions)
                done = context.strings(.gradeDone, .text(comparison.redactor(page.path)))
            } catch {
                let path = comparison.redactor(folder.path)
                throw CommandError(
                    message: context.strings.reports(
                        LocalizableMessage(.folderNotWritable, path, comparison.redactor(error.localizedDescription))),
                    code: .trouble)
            }
        }
        if request.json {
            context.console.printVerbatim(
                JSONText.of(InterviewComparisonReport(comparison, strings: localization.interview)))
            if let done { context.console.say(done) }
            return .passed
        }
        for remark in comparison.remarks(localization.interview) {
            context.console.say(TextStyle.harmless(context.console.plain(remark)))
        }
        context.console.print(
            InterviewComparisonText(comparison, localization: localization, style: context.style)
                .lines(columns: context.console.lineWidth))
        if let done { context.console.print("", done) }
        return .passed
    }
}
