import Reports
import Workbook

/// `grader list`: the katas, and how far each of them is.
struct ListCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let session = try WorkbookSession(context)
        let entries = session.katas.map { kata in
            ListReport.Entry(kata, session.progress.katas[kata.kata], file: session.path(of: kata))
        }
        tellProgressProblem()
        if context.request.json {
            context.console.printVerbatim(JSONText.of(ListReport(language: context.language, katas: entries)))
            return .passed
        }
        let strings = context.strings.reports
        var table = TextTable([.leading, .leading, .trailing, .leading, .trailing, .leading])
        let dim: @Sendable (String) -> String = { [style = context.style] in style.dim($0) }
        table.add(
            "", .init(strings(.labelKata), dress: dim), .init(strings(.labelDifficulty), dress: dim),
            .init(strings(.labelState), dress: dim), .init(strings(.labelPoints), dress: dim),
            .init(strings(.labelFile), dress: dim))
        let titles = try session.groupTitles()
        var group: String?
        for (kata, entry) in zip(session.katas, entries) {
            if titles[kata.kata] != group {
                group = titles[kata.kata]
                table.addHeading("")
                table.addHeading(.init(group ?? "") { [style = context.style] in style.bold($0) })
            }
            table.add(
                context.mark(entry.best), .init(entry.kata), .init("\(entry.difficulty)/\(Kata.hardest)"),
                .init(strings(entry.best)), .init("\(entry.points)/\(entry.maxPoints)"), .init(entry.file))
        }
        let done = entries.count { $0.best == .passed || $0.best == .mastered }
        let share = entries.isEmpty ? 0 : Double(done) / Double(entries.count)
        var lines = table.lines(columns: context.console.lineWidth)
        lines += [
            "",
            context.style.bar(share, cells: 24) + " "
                + context.strings(.listProgress, .integer(done), .integer(entries.count)),
        ]
        if let current = session.currentKata {
            lines.append(context.strings(.listHow, .text(context.commandLine(.check, current.kata))))
        } else if !entries.isEmpty {
            lines.append(strings(.allMastered))
        }
        context.console.print(lines)
        return .passed
    }

    /// A list that is empty because nothing could be read says so.
    private func tellProgressProblem() {
        guard let problem = context.progressProblem else { return }
        context.console.say(context.strings.message(of: problem, path: context.typed))
    }
}

extension CommandContext {
    /// What a table shows for an outcome, in one cell.
    func mark(_ outcome: Verdict.Outcome) -> TextTable.Cell {
        let plain = TextStyle(isColored: false, isUnicode: style.isUnicode)
        return switch outcome {
        case .mastered, .passed: .init(plain.good) { [style] in style.green($0) }
        case .notStarted: .init(plain.open) { [style] in style.dim($0) }
        case .failed, .didNotCompile, .rejected: .init(plain.bad) { [style] in style.red($0) }
        }
    }
}
