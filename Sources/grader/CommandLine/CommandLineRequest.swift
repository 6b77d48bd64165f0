import Foundation
import Grading
import Reports
import Storage
import Workbook

/// What a command line asks for, before anything is looked up: names of katas may still be misspelled.
struct CommandLineRequest: Equatable, Sendable {
    /// `nil` where only `grader` was typed.
    var command: Command?
    var operands: [String] = []
    /// The options that were typed, in that order.
    private(set) var given: [Option] = []
    var json = false
    var usesCache = true
    var sandboxed = true
    var engine: EngineName?
    var seed: UInt64?
    /// The one order of steps that is run again.
    var schedule: String?
    /// Whether failed tests are printed in the form of compiler errors, too.
    var printsProblems = false
    var language: Language?
    var workbook: String?
    var progress: String?
    var submission: String?
    var report: String?
    var jobs: Int?
    var katas: [String] = []
    var shard: Shard?
    var formats: [String] = []
    /// What learners may see of their results.
    var release: Release?
    /// When the submissions of a class are due.
    var deadline: DateText?
    /// The file that says how the points of one submission count.
    var policy: String?
    var anonymous = false
    var count: Int?
    var minutes: Int?
    var candidate: String?
    var hints: Int?
    /// The minutes of all pauses together; `nil` for no limit.
    var pauseMinutes: Int?
    var resumes = false
    var blind = false
    /// `nil` where it was not said.
    var wantsSolutions: Bool?
    var wantsObserver: Bool?
    /// The name of the observer who watches.
    var observer: String?
    /// Whether a session's report is the page that the candidate gets.
    var isForCandidate = false
    var runs: Int?
    var watches = false
    var phase: Int?
    /// The folder in which a kata or a session is made.
    var parent: String?
    /// The tests that learners get.
    var withTests: KataTest.Tier?

    /// Why a command line cannot be understood.
    enum Mistake: Error, Equatable, Sendable {
        case unknownCommand(String, nearest: Command?)
        case unknownOption(String, nearest: Option?)
        case optionOfAnotherCommand(Option, Command)
        case optionsTogether(Option, Option)
        case missingValue(Option)
        case missingOption(Option, Command)
        /// The first option has a meaning only together with the second one.
        case optionNeeds(Option, Option, Command)
        case optionNeedsOneKata(Option, Command)
        case valueNotWanted(Option)
        case seedIsNoNumber(String)
        case valueNotUnderstood(Option, String)
        case numberNotUnderstood(Option, String, ClosedRange<Int>)
        case formatNotUnderstood(String, [String])
        /// A format that names learners, with `--anonymous`.
        case formatNamesLearners(String)
        case unknownLanguage(String, nearest: Language?)
        case unknownShell(String)
        case unknownEngine(String)
        case missingOperand(Command)
        case operandNotWanted(String, Command)
    }

    /// Only `grader`.
    static let bare = CommandLineRequest()

    private init() {}

    init(_ arguments: [String]) throws(Mistake) {
        var words: [String] = []
        var rest = arguments[...]
        var optionsMayFollow = true
        while let argument = rest.popFirst() {
            guard optionsMayFollow, argument.hasPrefix("-"), argument != "-" else {
                words.append(argument)
                continue
            }
            if argument == "--" {
                optionsMayFollow = false
                continue
            }
            let (named, attached) = try Self.option(argument)
            let option = Self.option(named, words, rest)
            given.append(option)
            guard option.value != .none else {
                guard attached == nil else { throw .valueNotWanted(option) }
                try option.take("", into: &self)
                continue
            }
            // What follows an option may be an option itself: then the value was forgotten.
            let isNext = rest.first.map { Option(named: $0) == nil } ?? false
            guard let value = attached ?? (isNext ? rest.popFirst() : nil), !value.isEmpty || option.mayBeEmpty else {
                throw .missingValue(option)
            }
            try option.take(value, into: &self)
        }
        if given.contains(.help), words.count == 1, !Command.family(words[0].lowercased()).isEmpty {
            words.insert(Command.help.name, at: 0)
        }
        try name(words)
        if given.contains(.help) || given.contains(.version) {
            // Whatever else was asked for, only what is asked about counts.
            operands = !given.contains(.help) ? [] : command == .help ? operands : command?.words ?? []
            command = given.contains(.help) ? .help : .version
            return
        }
        // `grader` alone is `grader list` wherever there is no one to watch.
        let asked = command ?? Command.list
        if let option = given.first(where: { !asked.options.contains($0) && !asked.formerOptions.contains($0) }) {
            throw .optionOfAnotherCommand(option, asked)
        }
        for rule in asked.rules { try rule.check(self, asked) }
    }

    /// What a comparison has unless it is left out, and a session's report only if it is asked for: that one is in the
    /// candidate's folder.
    var showsSolutions: Bool { wantsSolutions ?? (command == .interviewCompare) }
    var showsObserver: Bool { wantsObserver ?? (command == .interviewCompare) }

    /// The option that an argument names, and the value that is attached to it.
    private static func option(_ argument: String) throws(Mistake) -> (Option, String?) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let value = parts.count > 1 ? String(parts[1]) : nil
        guard let option = name == "-h" ? .help : Option(named: name) else {
            throw .unknownOption(name, nearest: Option.nearest(to: name))
        }
        return (option, value)
    }

    /// The option as the command takes it, where it has a value for that command only.
    ///
    /// - Parameter rest: what follows the option; it begins with the value where the option stands first.
    private static func option(_ option: Option, _ words: [String], _ rest: ArraySlice<String>) -> Option {
        guard option.value == .none else { return option }
        let commands = [rest, rest.dropFirst()].compactMap { rest in
            Command(beginning: words + rest.filter { !$0.hasPrefix("-") })
        }
        return commands.flatMap(\.options).first { $0 == option && $0.value != .none } ?? option
    }

    private mutating func name(_ words: [String]) throws(Mistake) {
        guard let first = words.first else { return }
        guard let command = Command(beginning: words) else {
            let family = Command.family(first.lowercased())
            guard !family.isEmpty else { throw .unknownCommand(first, nearest: Command.nearest(to: first)) }
            let name = words.prefix(2).joined(separator: " ")
            throw .unknownCommand(name, nearest: Command.nearest(to: name, among: family) ?? family[0])
        }
        self.command = command
        operands = Array(words.dropFirst(command.words.count))
    }
}
