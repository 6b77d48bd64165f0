import Foundation
import Reports
import Storage
import Workbook

/// `grader show`: a kata's brief, and what its suite looks at.
struct ShowCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let session = try WorkbookSession(context)
        let kata = try session.kata(named: context.request.operands[0])
        let texts = try session.texts(of: kata)
        let remembered = session.progress.katas[kata.kata]
        let entry = ListReport.Entry(kata, remembered, file: session.path(of: kata))
        let brief = try brief(of: kata, session.workbook)
        if context.request.json {
            let tests = kata.tests.map {
                ShowReport.Test($0, title: texts.title(of: $0), hintsShown: remembered?.hintsShown(of: $0.id) ?? 0)
            }
            let report = ShowReport(
                language: context.language, kata: entry, interface: kata.interface, brief: brief, tests: tests)
            context.console.printVerbatim(JSONText.of(report))
            return .passed
        }
        let strings = context.strings.reports
        let phase = try session.phases()[kata.phase]
        let facts = [
            context.style.bold(kata.kata), phase, strings(entry.best) as String?,
            strings(.points, .integer(entry.points), .integer(entry.maxPoints)),
        ]
        let failing = Set(remembered?.last?.failing ?? kata.tests.map(\.id))
        let tests = kata.tests.map { test in
            let mark = failing.contains(test.id) ? context.style.open : context.style.good
            return "\(mark) \(texts.title(of: test)) (\(strings(ReportKey(test.tier))))"
        }
        context.console.print([facts.compactMap(\.self).joined(separator: context.style.separator), entry.file, ""])
        context.console.printBrief(brief)
        context.console.print(
            [""] + tests + ["", context.strings(.listHow, .text(context.commandLine(.check, kata.kata)))])
        return .passed
    }

    /// In the person's language; the English one stands in where there is none.
    private func brief(of kata: Kata, _ workbook: WorkbookFolder) throws(CommandError) -> String {
        guard let text = workbook.brief(kata.kata, context.language) else {
            let english = workbook.exercise(kata.kata).appendingPathComponent("README.md")
            throw CommandError(message: context.strings(.fileUnreadable, .text(context.typed(english))), code: .trouble)
        }
        return text.hasSuffix("\n") ? text : text + "\n"
    }
}
