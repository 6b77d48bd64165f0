import Reports
import Workbook

/// `grader help`: what can be typed.
struct HelpCommand: Sendable {
    let context: CommandContext

    func run() -> ExitCode {
        let words = context.request.operands
        if let command = Command(beginning: words) {
            context.console.print(about(command))
        } else if let first = words.first?.lowercased() {
            context.console.print(list(Command.family(first), usage: "\(first) COMMAND"))
        } else {
            context.console.print(overview())
        }
        return .passed
    }

    private func overview() -> [String] {
        list(Command.all, usage: "[COMMAND]") + [""] + options(Option.all)
            + ["", context.strings(.helpMore, .text("\(context.program) help \(Command.check.name)"))]
    }

    private func list(_ commands: [Command], usage: String) -> [String] {
        [context.strings(.helpUsage, .text("\(context.program) \(usage)")), ""] + list(commands)
    }

    private func list(_ commands: [Command]) -> [String] {
        var table = TextTable([.leading, .leading])
        for command in commands {
            table.add(.init("  " + syntax(command)), .init(context.strings(command.summary)))
        }
        return [heading(.helpCommands)] + table.lines(columns: context.console.lineWidth)
    }

    private func about(_ command: Command) -> [String] {
        let family = command.words.count == 1 ? Command.family(command.name) : []
        return [
            context.strings(.helpUsage, .text("\(context.program) \(syntax(command))")), "",
            context.strings(command.summary), "",
        ] + (family.isEmpty ? [] : list(family) + [""]) + options(command.options)
    }

    private func options(_ options: [Option]) -> [String] {
        var table = TextTable([.leading, .leading])
        for option in options {
            table.add(.init("  " + option.typed), .init(context.strings(option.summary)))
        }
        return [heading(.helpOptions)] + table.lines(columns: context.console.lineWidth)
    }

    private func heading(_ key: MessageKey) -> String { context.style.bold(context.strings(key)) }

    private func syntax(_ command: Command) -> String {
        let operands = command.operands.placeholder
        // Folded before it is counted, so that columns line up.
        return context.style.folded(command.name + (operands.isEmpty ? "" : " " + operands))
    }
}

/// `grader version`.
struct VersionCommand: Sendable {
    let context: CommandContext

    func run() -> ExitCode {
        context.console.print("grader \(ProgramName.version)")
        return .passed
    }
}
