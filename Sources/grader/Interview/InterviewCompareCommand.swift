import Foundation
import Reports
import Storage
import Workbook

/// `grader interview compare`: sessions on the same katas side by side.
struct InterviewCompareCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let request = context.request
        let sessions = try sessions()
        let folders = sessions.map(\.folder)
        let report = request.report.map(context.folder)
        // A candidate has such a folder, and the report has what others wrote, and the observer's marks.
        if let report, folders.contains(where: { $0.contains(report) }) {
            throw CommandError(message: try InterviewStrings(context.language)(.reportInSession), code: .usage)
        }
        var contents = sessions.map(\.contents)
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

    /// The sessions that are named, and those in the folders that are named. What else is there is left out, and said; where
    /// nothing else is there, it is an error.
    private func sessions() throws -> [(folder: InterviewFolder, contents: InterviewFolder.Contents)] {
        let strings = try InterviewStrings(context.language)
        var found: [(folder: InterviewFolder, contents: InterviewFolder.Contents)] = []
        var leftOut: [String] = []
        for operand in context.request.operands {
            let named = InterviewFolder(context.folder(operand))
            let isThere = FileManager.default.fileExists(atPath: named.url.path)
            let folders = InterviewFolder.sessions(in: named.url)
            // Where the shell names all that is in a folder, the observers' files are among it.
            if folders.isEmpty, isThere, !named.isObservers { leftOut.append(operand) }
            for folder in isThere ? folders : [named] where !found.contains(where: { $0.folder == folder }) {
                if folder == named {
                    found.append((folder, try context.interview(in: folder)))
                } else if let contents = try? context.interview(in: folder) {
                    found.append((folder, contents))
                } else {
                    leftOut.append(context.typed(folder.url))
                }
            }
        }
        // An error that says what was expected there.
        if found.isEmpty { _ = try context.interview(in: InterviewFolder(context.folder(context.request.operands[0]))) }
        for path in leftOut { context.console.say(strings(.skipped, .text(path))) }
        return found
    }
}
