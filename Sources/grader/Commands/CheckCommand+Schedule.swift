import Reports
import Workbook

extension CheckCommand {
    /// `grader check KATA --schedule TEXT`: runs one order of steps again, and shows all of it. That is no grading, so nothing is
    /// remembered.
    func runAgain(_ kata: Kata, _ session: WorkbookSession) async throws -> ExitCode {
        let submission = session.submission(kata)
        let verdict = try await session.grade(submission)
        let localized = LocalizedVerdict(verdict, kata: kata, texts: try session.texts(of: kata))
        let strings = context.strings.reports
        let found = verdict.tests.filter { $0.schedule != nil }
        let hasRun = [.failed, .passed, .mastered].contains(verdict.outcome)
        if context.request.json {
            let report = CheckReport([localized], seed: try session.grader().options.seed, strings: strings)
            context.console.printVerbatim(JSONText.of(report))
        } else {
            let text = CheckText(
                strings: strings, style: context.style, hintStep: .command(context.commandLine(.hint, kata.kata)),
                scheduleStep: .all)
            let failures = kata.tests.flatMap { test in
                found.filter { $0.id == test.id }.flatMap {
                    text.failure(test, $0, title: localized.texts.title(of: test)) + [""]
                }
            }
            context.console.print(
                !hasRun
                    ? text.lines(localized, path: session.path(of: kata), modelAnswer: nil, source: submission.text)
                    : found.isEmpty ? [strings(.scheduleFine)] : Array(failures.dropLast()))
        }
        return hasRun && found.isEmpty ? .passed : .notPassed
    }
}
