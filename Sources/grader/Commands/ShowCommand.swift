import Foundation
import Reports
import Workbook

/// `grader show`: a kata's brief, and what its suite looks at.
struct ShowCommand: Sendable {
    let seat: Seat

    func run() throws -> ExitCode {
        let kata = try seat.kata(seat.request.operands[0], among: seat.katas())
        let workbook = try seat.requireWorkbook()
        let texts = try seat.texts(of: kata)
        let remembered = seat.progress.katas[kata.kata]
        let entry = ListReport.Entry(kata, remembered, file: seat.typed(workbook.learnerFile(kata.kata)))
        let brief = try brief(of: kata, workbook)
        if seat.request.json {
            let tests = kata.tests.map {
                ShowReport.Test($0, title: texts.title(of: $0), hintsShown: remembered?.hintsShown[$0.id] ?? 0)
            }
            let report = ShowReport(
                language: seat.language, kata: entry, interface: kata.interface, brief: brief, tests: tests)
            seat.console.printVerbatim(JSONText.of(report))
            return .passed
        }
        let words = seat.words.reports
        let phase = ReportKey(rawValue: "phase.\(kata.phase)").map { words($0) } ?? String(kata.phase)
        let facts = [
            seat.style.bold(kata.kata), phase, words(entry.best),
            words(.points, .integer(entry.points), .integer(entry.maxPoints)),
        ]
        let failing = Set(remembered?.last?.failing ?? kata.tests.map(\.id))
        let tests = kata.tests.map { test in
            let mark = failing.contains(test.id) ? seat.style.open : seat.style.good
            return "\(mark) \(texts.title(of: test)) (\(words(ReportKey(test.tier))))"
        }
        seat.console.print([facts.joined(separator: seat.style.separator), entry.file, ""])
        seat.console.printBrief(brief)
        seat.console.print([""] + tests + ["", seat.words(.listHow, .text("\(seat.program) check \(kata.kata)"))])
        return .passed
    }

    /// In the person's language; the English one stands in where there is none.
    private func brief(of kata: Kata, _ workbook: WorkbookFolder) throws(Stop) -> String {
        guard let text = workbook.brief(kata.kata, seat.language) else {
            let english = workbook.exercise(kata.kata).appendingPathComponent("README.md")
            throw Stop(sentence: seat.words(.fileUnreadable, .text(seat.typed(english))), code: .trouble)
        }
        return text.hasSuffix("\n") ? text : text + "\n"
    }
}
