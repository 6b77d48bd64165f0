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
                let code = try await perform(request.command, context)
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

    private func perform(_ command: Command?, _ context: CommandContext) async throws -> ExitCode {
        switch command {
        case nil where context.console.canWatch: try await WatchCommand(context: context).run()
        case nil: try ListCommand(context: context).run()
        case .watch: try await WatchCommand(context: context).run()
        case .lsp: try await interruptible { try await LanguageServerCommand(context: context).run() }
        case .check where context.request.submission != nil:
            try await interruptible { try await SubmissionCommand(context: context).run() }
        case .check: try await interruptible { try await CheckCommand(context: context).run() }
        case .hint: try await interruptible { try await HintCommand(context: context).run() }
        case .debug: try await DebugCommand(context: context, environment: environment).run()
        case .list: try ListCommand(context: context).run()
        case .show: try ShowCommand(context: context).run()
        case .reset: try ResetCommand(context: context).run()
        case .solution: try SolutionCommand(context: context).run()
        case .rule: try RuleCommand(context: context).run()
        case .language: try LanguageCommand(context: context).run()
        case .doctor: try await DoctorCommand(context: context, environment: environment).run()
        case .grade: try await GradeCommand(context: context).run()
        case .merge: try MergeCommand(context: context).run()
        case .progress: try ClassProgressCommand(context: context).run()
        case .interview: try await InterviewCommand(context: context, environment: environment).run()
        case .interviewWatch: try await ObserverCommand(context: context, environment: environment).run()
        case .interviewReport: try InterviewReportCommand(context: context).run()
        case .interviewCompare: try InterviewCompareCommand(context: context).run()
        case .interviewList: try InterviewListCommand(context: context).run()
        case .kataNew: try KataNewCommand(context: context).run()
        case .handout: try HandoutCommand(context: context).run()
        case .kataVerify: try await interruptible { try await KataVerifyCommand(context: context).run() }
        case .completion: CompletionCommand(context: context).run()
        case .help: HelpCommand(context: context).run()
        case .version: VersionCommand(context: context).run()
        }
    }

    /// Does work that grades and that a signal may end: nothing that it has started or begun is left then.
    private func interruptible(_ work: () async throws -> ExitCode) async throws -> ExitCode {
        let signals = Signals(Signals.ending) { SubmissionGrader.endProgram(by: $0) }
        defer { withExtendedLifetime(signals) {} }
        return try await work()
    }

    private func context(_ request: CommandLineRequest, _ console: Console) throws -> CommandContext {
        try CommandContext(
            request, console: console, environment: environment, workingFolder: workingFolder, program: program)
    }

    /// What can be said of a command line that cannot be understood: the language that it names, or where one is
    /// remembered.
    private var requestOfMistake: CommandLineRequest {
        var request = CommandLineRequest.bare
        request.language = value(of: .language).flatMap(Language.init(named:))
        request.workbook = value(of: .workbook)
        request.progress = value(of: .progress)
        return request
    }

    /// The value that an option seems to have; the last one counts.
    private func value(of option: Option) -> String? {
        zip(arguments, arguments.dropFirst() + [""]).compactMap { argument, next in
            if argument == option.rawValue { return next }
            let start = option.rawValue + "="
            return argument.hasPrefix(start) ? String(argument.dropFirst(start.count)) : nil
        }.last { !$0.isEmpty }
    }

    private func end(_ stop: CommandError, strings: CommandStrings, _ console: Console) -> ExitCode {
        // A sentence may quote what was typed, and what was typed may be anything.
        console.say(TextStyle.harmless(stop.message))
        if arguments.contains(Option.json.rawValue) {
            console.printVerbatim(JSONText.of(TroubleReport(language: strings.language, error: stop.message)))
        }
        return stop.code
    }

    /// What a person types to start the program again.
    private var program: String { ProgramName(started: started, workingFolder: workingFolder).text }
}
