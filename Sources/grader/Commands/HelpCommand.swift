import Reports
import Workbook

/// `grader help`: what can be typed.
struct HelpCommand: Sendable {
    let context: CommandContext

    func run() -> ExitCode {
        if let command = Command(beginning: context.request.operands) {
            context.console.print(about(command))
        } else {
            context.console.print(overview())
        }
        return .passed
    }

    private func overview() -> [String] {
        var commands = TextTable([.leading, .leading])
        for command in Command.allCases {
            commands.add(.init("  " + syntax(command)), .init(context.strings(command.summary)))
        }
        return [context.strings(.helpUsage, .text("\(context.program) [COMMAND]")), "", heading(.helpCommands)]
            + commands.lines(columns: context.console.lineWidth) + [""] + options(Option.allCases)
            + ["", context.strings(.helpMore, .text("\(context.program) help \(Command.check.rawValue)"))]
    }

    private func about(_ command: Command) -> [String] {
        [
            context.strings(.helpUsage, .text("\(context.program) \(syntax(command))")), "",
            context.strings(command.summary), "",
        ] + options(command.options)
    }

    private func options(_ options: [Option]) -> [String] {
        var table = TextTable([.leading, .leading])
        for option in options {
            let value = option.placeholder.map { " " + $0 } ?? ""
            table.add(.init("  " + option.rawValue + value), .init(context.strings(option.summary)))
        }
        return [heading(.helpOptions)] + table.lines(columns: context.console.lineWidth)
    }

    private func heading(_ key: MessageKey) -> String { context.style.bold(context.strings(key)) }

    private func syntax(_ command: Command) -> String {
        let operands = command.operands.placeholder
        // Folded before it is counted, so that columns line up.
        return context.style.folded(command.rawValue + (operands.isEmpty ? "" : " " + operands))
    }
}

/// `grader version`.
struct VersionCommand: Sendable {
    let context: CommandContext

    func run() -> ExitCode {
        context.console.print("grader \(Grader.version)")
        return .passed
    }
}
