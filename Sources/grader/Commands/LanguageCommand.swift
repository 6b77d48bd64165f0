import Reports
import Workbook

/// `grader language`: which one it is, or another one from now on.
struct LanguageCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        guard let name = context.request.operands.first, let chosen = Language(named: name) else {
            return tell()
        }
        let session = try WorkbookSession(context)
        session.update { $0.language = chosen }
        guard session.couldRemember else { return .trouble }
        context.console.print(try CommandStrings(chosen)(.languageChosen, .text(chosen.ownName)))
        return .passed
    }

    private func tell() -> ExitCode {
        var table = TextTable([.leading, .leading, .leading])
        for language in Language.allCases {
            let isChosen = language == context.language
            let mark = TextStyle(isColored: false, isUnicode: context.style.isUnicode).good
            table.add(
                .init(isChosen ? mark : " "), .init(language.code),
                .init(language.name(isUnicode: context.style.isUnicode)))
        }
        let how = context.strings(.languageHow, .text(context.commandLine(.language, Language.korean.code)))
        context.console.print(
            [context.strings(.languageIs, .text(context.language.name(isUnicode: context.style.isUnicode))), ""]
                + table.lines(columns: context.console.lineWidth) + ["", how])
        return .passed
    }
}
