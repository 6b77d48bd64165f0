import Foundation
import Reports
import Workbook

/// One start of the program, from its arguments to its exit code.
struct Grader: Sendable {
    var arguments: [String]
    /// How the program was started: `argv[0]`.
    var started: String
    var environment: [String: String]
    var workingFolder: URL

    static let version = "1.0.0"

    func run() async -> ExitCode {
        let console = Console(environment: environment)
        do {
            let request: CommandLineRequest
            do {
                request = try CommandLineRequest(arguments)
            } catch {
                let seat = try seat(requestOfMistake, console)
                let sentence =
                    seat.sentence(ofKataNamedIn: error)
                    ?? seat.words.sentence(
                        of: error, program: program, isUnicode: console.errors.isUnicode)
                return end(Stop(sentence: sentence, code: .usage), words: seat.words, console)
            }
            let seat = try seat(request, console)
            do {
                return try await perform(request.command, seat)
            } catch let stop as Stop {
                return end(stop, words: seat.words, console)
            }
        } catch {
            // Without its catalogs the program has one language left.
            console.say("\(program): \(error)")
            return .trouble
        }
    }

    private func perform(_ command: Command?, _ seat: Seat) async throws -> ExitCode {
        switch command {
        case nil where seat.console.canWatch: try await WatchCommand(seat: seat).run()
        case nil: try ListCommand(seat: seat).run()
        case .watch: try await WatchCommand(seat: seat).run()
        case .check where seat.request.submission != nil: try await SubmissionCommand(seat: seat).run()
        case .check: try await CheckCommand(seat: seat).run()
        case .hint: try await HintCommand(seat: seat).run()
        case .list: try ListCommand(seat: seat).run()
        case .show: try ShowCommand(seat: seat).run()
        case .reset: try ResetCommand(seat: seat).run()
        case .solution: try SolutionCommand(seat: seat).run()
        case .language: try LanguageCommand(seat: seat).run()
        case .doctor: try await DoctorCommand(seat: seat, environment: environment).run()
        case .grade: try await GradeCommand(seat: seat).run()
        case .merge: try MergeCommand(seat: seat).run()
        case .interview: try await InterviewCommand(seat: seat, environment: environment).run()
        case .interviewReport: try InterviewReportCommand(seat: seat).run()
        case .interviewCompare: try InterviewCompareCommand(seat: seat).run()
        case .completion: CompletionCommand(seat: seat).run()
        case .help: HelpCommand(seat: seat).run()
        case .version: VersionCommand(seat: seat).run()
        }
    }

    private func seat(_ request: CommandLineRequest, _ console: Console) throws -> Seat {
        try Seat(request, console: console, environment: environment, workingFolder: workingFolder, program: program)
    }

    /// What can be said of a command line that cannot be understood: at least the language that it names.
    private var requestOfMistake: CommandLineRequest {
        var request = CommandLineRequest.bare
        for (index, argument) in arguments.enumerated() {
            if argument == Option.language.rawValue, index + 1 < arguments.count {
                request.language = Language(named: arguments[index + 1])
            } else if argument.hasPrefix(Option.language.rawValue + "=") {
                request.language = Language(named: String(argument.dropFirst(Option.language.rawValue.count + 1)))
            }
        }
        return request
    }

    private func end(_ stop: Stop, words: Words, _ console: Console) -> ExitCode {
        // A sentence may quote what was typed, and what was typed may be anything.
        console.say(TextStyle.harmless(stop.sentence))
        if arguments.contains(Option.json.rawValue) {
            console.printVerbatim(JSONText.of(TroubleReport(language: words.language, error: stop.sentence)))
        }
        return stop.code
    }

    /// What a person types to start the program again. `swift run` starts it by its absolute path in the build folder.
    private var program: String {
        guard started.contains("/") else { return started }
        return started.hasPrefix("/") && started.contains("/.build/") ? "swift run grader" : started
    }
}
