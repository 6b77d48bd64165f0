import Reports
import Workbook

/// `grader list`: the katas, and how far each of them is.
struct ListCommand: Sendable {
    let seat: Seat

    func run() throws -> ExitCode {
        let katas = try seat.katas()
        let workbook = try seat.requireWorkbook()
        let entries = katas.map { kata in
            ListReport.Entry(
                kata, seat.progress.katas[kata.kata], file: seat.typed(workbook.learnerFile(kata.kata)))
        }
        tellProgressProblem()
        if seat.request.json {
            seat.console.printVerbatim(JSONText.of(ListReport(language: seat.language, katas: entries)))
            return .passed
        }
        let words = seat.words.reports
        var table = TextTable([.leading, .leading, .leading, .leading, .trailing, .leading])
        let dim: @Sendable (String) -> String = { [style = seat.style] in style.dim($0) }
        table.add(
            "", .init(words(.labelKata), dress: dim), .init(words(.labelPhase), dress: dim),
            .init(words(.labelState), dress: dim), .init(words(.labelPoints), dress: dim),
            .init(words(.labelFile), dress: dim))
        for entry in entries {
            let phase = ReportKey(rawValue: "phase.\(entry.phase)").map { words($0) } ?? String(entry.phase)
            table.add(
                mark(entry.best), .init(entry.kata), .init(phase), .init(words(entry.best)),
                .init("\(entry.points)/\(entry.maxPoints)"), .init(entry.file))
        }
        let done = entries.count { $0.best == .passed || $0.best == .mastered }
        let share = entries.isEmpty ? 0 : Double(done) / Double(entries.count)
        var lines = table.lines(columns: seat.console.lineWidth)
        lines += [
            "",
            seat.style.bar(share, cells: 24) + " " + seat.words(.listProgress, .integer(done), .integer(entries.count)),
        ]
        if let current = seat.currentKata(among: katas) {
            lines.append(seat.words(.listHow, .text("\(seat.program) check \(current.kata)")))
        } else if !katas.isEmpty {
            lines.append(words(.allMastered))
        }
        seat.console.print(lines)
        return .passed
    }

    private func mark(_ outcome: Verdict.Outcome) -> TextTable.Cell {
        let style = seat.style
        let plain = TextStyle(isColored: false, isUnicode: style.isUnicode)
        return switch outcome {
        case .mastered, .passed: .init(plain.good) { style.green($0) }
        case .notStarted: .init(plain.open) { style.dim($0) }
        case .failed, .didNotCompile, .rejected: .init(plain.bad) { style.red($0) }
        }
    }

    /// A list that is empty because nothing could be read says so.
    private func tellProgressProblem() {
        guard let problem = seat.progressProblem else { return }
        seat.console.say(seat.words.sentence(of: problem, path: seat.typed))
    }
}
