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
        let titles = try session.groupTitles()
        let done = entries.count { $0.best == .passed || $0.best == .mastered }
        let share = entries.isEmpty ? 0 : Double(done) / Double(entries.count)
        var lines = lines(of: entries, in: session.katas.map { titles[$0.kata] ?? "" })
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

    private struct Column {
        var label: ReportKey?
        var alignment = TextTable.Alignment.leading
        var cell: (ListReport.Entry) -> TextTable.Cell
    }

    /// A kata is one line: where there is no room for all columns, those go first that other commands tell, too.
    private func lines(of entries: [ListReport.Entry], in groups: [String]) -> [String] {
        let strings = context.strings.reports
        let file = Column(label: .labelFile) { .init($0.file) }
        let points = Column(label: .labelPoints, alignment: .trailing) { .init("\($0.points)/\($0.maxPoints)") }
        let difficulty = Column(label: .labelDifficulty, alignment: .trailing) {
            .init("\($0.difficulty)/\(Kata.hardest)")
        }
        let mark = Column { context.mark($0.best) }
        let kata = Column(label: .labelKata) { .init($0.kata) }
        let state = Column(label: .labelState) { .init(strings($0.best)) }
        let choices = [
            [mark, kata, difficulty, state, points, file], [mark, kata, difficulty, state, points],
            [mark, kata, difficulty, state], [mark, kata, state],
        ]
        let tables = choices.map { table(of: entries, in: groups, $0) }
        let columns = context.console.lineWidth
        let fitting = tables.lazy.map { $0.lines() }.first { lines in
            columns.map { columns in lines.allSatisfy { TextWrap.visibleWidth($0) <= columns } } ?? true
        }
        return fitting ?? tables[tables.count - 1].lines(columns: columns)
    }

    private func table(of entries: [ListReport.Entry], in groups: [String], _ columns: [Column]) -> TextTable {
        let style = context.style
        var table = TextTable(columns.map(\.alignment))
        table.add(columns.map { .init($0.label.map { context.strings.reports($0) } ?? "") { style.dim($0) } })
        var last: String?
        for (entry, group) in zip(entries, groups) {
            if group != last {
                table.addHeading("")
                table.addHeading(.init(group) { style.bold($0) })
            }
            last = group
            table.add(columns.map { $0.cell(entry) })
        }
        return table
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
        .init(TextStyle(isColored: false, isUnicode: style.isUnicode).mark(outcome)) { [style] _ in style.mark(outcome)
        }
    }
}
