import Foundation
import Reports
import Storage

/// `grader progress`: several reports of a class become one view. The reports are only read.
struct ClassProgressCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let folders = context.request.operands.map(context.folder)
        let target = context.request.report.map(context.folder)
        if let target, folders.contains(where: { isInside(target, $0) }) {
            throw CommandError(
                message: context.strings(.classProgressInReport, .text(context.typed(target))), code: .usage)
        }
        let reports = try zip(names(of: folders), folders).map { try read($0, in: $1) }
        let overTime = try together(reports)
        let localization = try OverTimeLocalization(context.strings.reports)
        let report = ClassOverTimeReport(overTime, localization: localization)
        var done: String?
        if let target {
            let page = target.appendingPathComponent("progress.html")
            try write(report.csv(localization), to: target.appendingPathComponent("progress.csv"))
            try write(ClassOverTimePage(report, localization: localization).text(), to: page)
            done = context.strings(.gradeDone, .text(page.path))
        }
        if context.request.json {
            context.console.printVerbatim(JSONText.of(report))
            if let done { context.console.say(done) }
            return .passed
        }
        context.console.print(
            ClassOverTimeText(overTime, localization: localization, style: context.style)
                .lines(columns: context.console.lineWidth))
        if let done { context.console.print("", done) }
        return .passed
    }

    /// The names of the folders; their paths where some have the same name.
    private func names(of folders: [URL]) -> [String] {
        let names = folders.map(\.lastPathComponent)
        return Set(names).count == Set(folders).count ? names : context.request.operands
    }

    private func isInside(_ folder: URL, _ report: URL) -> Bool {
        let places = [folder, report].map { $0.resolvingSymlinksInPath().pathComponents }
        return places[0].starts(with: places[1])
    }

    private func read(_ name: String, in folder: URL) throws(CommandError) -> ClassReport {
        let path = context.typed(ClassReport.file(in: folder))
        do {
            var report = try ClassReport(name, in: folder)
            if report.numbers != nil {
                report.setNumbers(try NamesFile(context: context, folder: folder).read())
            }
            return report
        } catch let error as CommandError {
            throw error
        } catch let problem as ClassReport.Problem {
            let message =
                switch problem {
                case .missing: context.strings(.classProgressNoReport, .text(context.typed(folder)))
                case .otherSchema(let schema):
                    context.strings(
                        .classProgressSchema, .text(path), .text("\(schema)"), .text("\(ClassReport.schema)"))
                case .damaged: context.strings(.classProgressDamaged, .text(path))
                }
            throw CommandError(message: message, code: .trouble)
        } catch {
            let reason = context.strings.reason(SystemFailure(error))
            throw CommandError(
                message: context.strings.reports(.reportFileUnreadable, .text(path), .text(reason)), code: .trouble)
        }
    }

    private func together(_ reports: [ClassReport]) throws(CommandError) -> ClassOverTime {
        do throws(ClassOverTime.Mistake) {
            return try ClassOverTime(reports)
        } catch {
            let message =
                switch error {
                case .numbersAndNames(let numbered, let named):
                    context.strings(.classProgressNumbersAndNames, .text(numbered), .text(named))
                case .otherNumbers(let first, let second):
                    context.strings(.classProgressOtherNumbers, .text(first), .text(second))
                }
            throw CommandError(message: message, code: .trouble)
        }
    }

    /// A page that is being looked at is never half of one and half of another.
    private func write(_ text: String, to file: URL) throws(CommandError) {
        try context.write(file) { try Data(text.utf8).write(to: $0, options: .atomic) }
    }
}
