import Reports
import Workbook

/// `grader help`: what can be typed.
struct HelpCommand: Sendable {
    let seat: Seat

    func run() -> ExitCode {
        if let command = Command(beginning: seat.request.operands) {
            seat.console.print(about(command))
        } else {
            seat.console.print(overview())
        }
        return .passed
    }

    private func overview() -> [String] {
        var commands = TextTable([.leading, .leading])
        for command in Command.allCases {
            commands.add(.init("  " + syntax(command)), .init(seat.words(command.summary)))
        }
        return [seat.words(.helpUsage, .text("\(seat.program) [COMMAND]")), "", heading(.helpCommands)]
            + commands.lines(columns: seat.console.lineWidth) + [""] + options(Option.allCases)
            + ["", seat.words(.helpMore, .text("\(seat.program) help \(Command.check.rawValue)"))]
    }

    private func about(_ command: Command) -> [String] {
        [
            seat.words(.helpUsage, .text("\(seat.program) \(syntax(command))")), "",
            seat.words(command.summary), "",
        ] + options(command.options)
    }

    private func options(_ options: [Option]) -> [String] {
        var table = TextTable([.leading, .leading])
        for option in options {
            let value = option.placeholder.map { " " + $0 } ?? ""
            table.add(.init("  " + option.rawValue + value), .init(seat.words(option.summary)))
        }
        return [heading(.helpOptions)] + table.lines(columns: seat.console.lineWidth)
    }

    private func heading(_ key: MessageKey) -> String { seat.style.bold(seat.words(key)) }

    private func syntax(_ command: Command) -> String {
        let operands = command.operands.placeholder
        // Folded before it is counted, so that columns line up.
        return seat.style.folded(command.rawValue + (operands.isEmpty ? "" : " " + operands))
    }
}

/// `grader version`.
struct VersionCommand: Sendable {
    let seat: Seat

    func run() -> ExitCode {
        seat.console.print("grader \(Grader.version)")
        return .passed
    }
}
