import Foundation
import Reports
import Storage
import Workbook

/// `grader solution`: an answer, where it is and what it says.
///
/// Who has passed a kata sees an answer that passes first: the model answer would take the rest of the work away. Who has
/// mastered it sees the other right answers to compare with.
struct SolutionCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let session = try WorkbookSession(context)
        let kata = try session.kata(named: context.request.operands[0])
        let outcome = session.progress.katas[kata.kata]?.best?.outcome ?? .notStarted
        let name = context.request.operands.dropFirst().first
        let shown =
            try name.map { try answer(named: $0, kata, session) }
            ?? (outcome == .passed ? session.passingAnswer(kata) : nil) ?? session.modelAnswer(kata)
        guard let shown else {
            let file = context.typed(session.workbook.modelAnswer(kata.kata))
            throw CommandError(message: context.strings(.fileUnreadable, .text(file)), code: .trouble)
        }
        // The source alone goes to standard output, so that it can be kept or compared.
        for line in about(shown, kata, session, isMastered: outcome == .mastered) { context.console.say(line) }
        context.console.printVerbatim(shown.text)
        return .passed
    }

    private func answer(named name: String, _ kata: Kata, _ session: WorkbookSession) throws -> ShownAnswer? {
        let answers = session.comparedAnswers(kata)
        if let answer = answers.first(where: { $0.name.lowercased() == name.lowercased() }) { return answer }
        let text = context.strings(
            .solutionUnknown, .text(name), .text(kata.kata), .list(answers.map(\.name)))
        throw CommandError(message: text, code: .usage)
    }

    private func about(
        _ answer: ShownAnswer, _ kata: Kata, _ session: WorkbookSession, isMastered: Bool
    ) -> [String] {
        let (strings, style) = (context.strings, context.style)
        let path = StringCatalog.Argument.text(context.typed(answer.file))
        var lines = [strings(answer.kind == .passing ? .solutionPassing : .solutionAt, path)]
        lines += (answer.title.map { [style.bold($0)] } ?? []) + answer.trade.map { "  " + $0 }
        switch answer.kind {
        case .passing:
            let open = session.openThemes(kata).map { "\(strings.reports(ReportKey($0.theme))) (\($0.failing))" }
            if !open.isEmpty { lines.append(strings(.solutionLeft, .list(open))) }
            lines.append(strings(.solutionModel, .text(context.commandLine(.solution, [kata.kata, kata.kata]))))
        case .model where isMastered:
            lines += others(kata, session)
        case .model, .approach:
            break
        }
        return lines
    }

    /// What there is to compare with, the shortest first, and what an interviewer would ask.
    private func others(_ kata: Kata, _ session: WorkbookSession) -> [String] {
        let (strings, style) = (context.strings, context.style)
        let approaches = session.approaches(kata)
        var table = TextTable([.leading, .trailing, .leading])
        for approach in approaches {
            table.add(
                .init(approach.name) { style.bold($0) }, .init("\(approach.lineCount)") { style.dim($0) },
                .init(approach.title ?? ""))
        }
        var lines = approaches.isEmpty ? [] : ["", strings(.solutionApproaches)] + table.lines()
        if let first = approaches.first {
            lines.append(strings(.solutionApproach, .text(context.commandLine(.solution, [kata.kata, first.name]))))
        }
        let answers = session.workbook.interviewAnswersFile(kata.kata, context.language)
        if FileManager.default.fileExists(atPath: answers.path) {
            lines.append(strings(.solutionInterview, .text(context.typed(answers))))
        }
        return lines + [""]
    }
}
