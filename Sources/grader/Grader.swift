import Foundation
import Grading
import Reports
import Workbook

/// One start of the program, from its arguments to its exit code.
struct Grader: Sendable {
    var arguments: [String]
    /// How the program was started: `argv[0]`.
    var started: String
    var environment: [String: String]
    var workingFolder: URL

    func run() async -> ExitCode {
        let console = Console(environment: environment)
        do {
            let request: CommandLineRequest
            do {
                request = try CommandLineRequest(arguments)
            } catch {
                let context = try context(requestOfMistake, console)
                let sentence =
                    (try? WorkbookSession(context))?.message(ofKataNamedIn: error)
                    ?? context.strings.message(
                        of: error, program: program, isUnicode: console.errors.isUnicode)
                return end(CommandError(message: sentence, code: .usage), strings: context.strings, console)
            }
            let context = try context(request, console)
            do {
                let command = request.command ?? (console.canWatch ? .watch : .list)
                let code = try await command.perform(context)
                guard let failure = console.outputFailure else { return code }
                throw CommandError(
                    message: context.strings(.outputNotWritten, .text(context.strings.reason(failure))), code: .trouble)
            } catch let stop as CommandError {
                return end(stop, strings: context.strings, console)
            }
        } catch {
            // Without its catalogs the program has one language left.
            console.say("\(program): \(error)")
            return .trouble
        }
    }

    private func context(_ request: CommandLineRequest, _ console: Console) throws -> CommandContext {
        try CommandContext(
            request, console: console, environment: environment, workingFolder: workingFolder, program: program)
    }

    /// What can be said of a command line that cannot be understood: the language that it names, or where one is
    /// remembered.
    private var requestOfMistake: CommandLineRequest {
        var request = CommandLineRequest.bare
        for option in [Option.language, .workbook, .progress] {
            if let value = value(of: option) { try? option.take(value, into: &request) }
        }
        return request
    }

    /// The value that an option seems to have; the last one counts.
    private func value(of option: Option) -> String? {
        zip(arguments, arguments.dropFirst() + [""]).compactMap { argument, next in
            if argument == option.name { return next }
            let start = option.name + "="
            return argument.hasPrefix(start) ? String(argument.dropFirst(start.count)) : nil
        }.last { !$0.isEmpty }
    }

    private func end(_ stop: CommandError, strings: CommandStrings, _ console: Console) -> ExitCode {
        // A sentence may quote what was typed, and what was typed may be anything.
        console.say(TextStyle.harmless(stop.message))
        if arguments.contains(Option.json.name) {
            console.printVerbatim(JSONText.of(TroubleReport(language: strings.language, error: stop.message)))
        }
        return stop.code
    }

    /// What a person types to start the program again.
    private var program: String { ProgramName(started: started, workingFolder: workingFolder).text }
}
