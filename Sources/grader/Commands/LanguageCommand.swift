import Reports
import Workbook

/// `grader language`: which one it is, or another one from now on.
struct LanguageCommand: Sendable {
    let seat: Seat

    func run() throws -> ExitCode {
        guard let name = seat.request.operands.first, let chosen = Language(named: name) else {
            return tell()
        }
        _ = try seat.requireWorkbook()
        let remembered = seat.remember { $0.language = chosen }
        guard remembered else { return .trouble }
        seat.console.print(try Words(chosen)(.languageChosen, .text(chosen.ownName)))
        return .passed
    }

    private func tell() -> ExitCode {
        var table = TextTable([.leading, .leading, .leading])
        for language in Language.allCases {
            let isChosen = language == seat.language
            let mark = TextStyle(isColored: false, isUnicode: seat.style.isUnicode).good
            table.add(
                .init(isChosen ? mark : " "), .init(language.code),
                .init(language.name(isUnicode: seat.style.isUnicode)))
        }
        let how = seat.words(.languageHow, .text("\(seat.program) language \(Language.korean.code)"))
        seat.console.print(
            [seat.words(.languageIs, .text(seat.language.name(isUnicode: seat.style.isUnicode))), ""]
                + table.lines(columns: seat.console.lineWidth) + ["", how])
        return .passed
    }
}
