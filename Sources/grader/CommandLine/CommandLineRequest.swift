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
        var seen: [Option] = []
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
            let (option, attached) = try Self.option(argument)
            seen.append(option)
            guard option.placeholder != nil || (option == .observer && Self.isWatching(words, rest)) else {
                guard attached == nil else { throw .valueNotWanted(option) }
                switch option {
                case .json: json = true
                case .problems: printsProblems = true
                case .noCache: usesCache = false
                case .noSandbox: sandboxed = false
                case .resume: resumes = true
                case .noPause: pauseMinutes = 0
                case .anonymous: anonymous = true
                case .blind: blind = true
                case .solution: wantsSolutions = true
                case .forCandidate: isForCandidate = true
                case .noSolution: wantsSolutions = false
                case .observer: wantsObserver = true
                case .noObserver: wantsObserver = false
                case .watch: watches = true
                default: break
                }
                continue
            }
            // What follows an option may be an option itself: then the value was forgotten.
            let isNext = rest.first.map { Option(rawValue: $0) == nil } ?? false
            // An order without an interruption has no words.
            guard let value = attached ?? (isNext ? rest.popFirst() : nil), !value.isEmpty || option == .schedule else {
                throw .missingValue(option)
            }
            try take(value, for: option)
        }
        if seen.contains(.help), words.count == 1, !Command.family(words[0].lowercased()).isEmpty {
            words.insert(Command.help.rawValue, at: 0)
        }
        try name(words)
        if seen.contains(.help) || seen.contains(.version) {
            // Whatever else was asked for, only what is asked about counts.
            operands = !seen.contains(.help) ? [] : command == .help ? operands : command?.words ?? []
            command = seen.contains(.help) ? .help : .version
            return
        }
        // `grader` alone is `grader list` wherever there is no one to watch.
        let asked = command ?? .list
        if let option = seen.first(where: { !asked.options.contains($0) && !asked.formerOptions.contains($0) }) {
            throw .optionOfAnotherCommand(option, asked)
        }
        try checkInterview(seen)
        try checkOperands()
        try checkReport()
        if schedule != nil, operands.count != 1 { throw .optionNeedsOneKata(.schedule, .check) }
        if seen.contains(.schedule), seen.contains(.submission) { throw .optionsTogether(.schedule, .submission) }
        if seen.contains(.json), seen.contains(.problems) { throw .optionsTogether(.json, .problems) }
        if seen.contains(.problems), seen.contains(.submission) { throw .optionsTogether(.problems, .submission) }
        if seen.contains(.json), seen.contains(.watch) { throw .optionsTogether(.json, .watch) }
        if seen.contains(.solution), seen.contains(.noSolution) { throw .optionsTogether(.solution, .noSolution) }
        if seen.contains(.observer), seen.contains(.noObserver) { throw .optionsTogether(.observer, .noObserver) }
        for option in [Option.observer, .solution] where seen.contains(.forCandidate) && seen.contains(option) {
            throw .optionsTogether(.forCandidate, option)
        }
    }

    /// What a comparison has unless it is left out, and a session's report only if it is asked for: that one is in the
    /// candidate's folder.
    var showsSolutions: Bool { wantsSolutions ?? (command == .interviewCompare) }
    var showsObserver: Bool { wantsObserver ?? (command == .interviewCompare) }

    /// A new session takes these options; a resumed one keeps those it began with.
    private func checkInterview(_ seen: [Option]) throws(Mistake) {
        guard command == .interview else { return }
        if seen.contains(.pause), seen.contains(.noPause) { throw .optionsTogether(.pause, .noPause) }
        if seen.contains(.katas), seen.contains(.count) { throw .optionsTogether(.katas, .count) }
        guard resumes else {
            guard let word = operands.first else { return }
            let name = "\(Command.interview.rawValue) \(word)"
            let nearest = NearestName(
                to: name, among: Command.family(Command.interview.rawValue).map(\.rawValue)
            ).name
            throw .unknownCommand(name, nearest: nearest.flatMap(Command.init))
        }
        let setUp: [Option] = [.katas, .count, .seed, .minutes, .candidate, .hints, .pause, .noPause]
        // Either the session is named, or the folder in which the last open one is looked for.
        if seen.contains(.parent), let folder = operands.first { throw .operandNotWanted(folder, .interview) }
        if let option = seen.first(where: setUp.contains) { throw .optionsTogether(option, .resume) }
    }

    /// A class needs a report folder, and one submission is reported in one format.
    private func checkReport() throws(Mistake) {
        if let command, command == .grade || command == .merge, report == nil {
            throw .missingOption(.report, command)
        }
        if command == .check {
            if !formats.isEmpty, submission == nil { throw .optionNeeds(.format, .submission, .check) }
            let ofSubmissions: [(Option, Bool)] = [
                (.release, release != nil), (.policy, policy != nil), (.deadline, deadline != nil),
            ]
            if submission == nil, let option = ofSubmissions.first(where: \.1)?.0 {
                throw .optionNeeds(option, .submission, .check)
            }
            let known = ReportFormats.forSubmissions.map { $0.name }
            if formats.count > 1 || !formats.allSatisfy(known.contains) {
                throw .formatNotUnderstood(formats.joined(separator: ","), known)
            }
        } else if let format = formats.first(where: { !ReportFormats.choosable.contains($0) }) {
            throw .formatNotUnderstood(format, ReportFormats.choosable)
        } else if anonymous, let format = formats.first(where: ReportFormats.forPlatforms.contains) {
            throw .formatNamesLearners(format)
        }
    }

    private static func list(_ value: String) -> [String] {
        value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Whether the command is the one that takes the observer's name: other commands have the same option without a value.
    ///
    /// - Parameter rest: what follows the option; it begins with the name where the option stands first.
    private static func isWatching(_ words: [String], _ rest: ArraySlice<String>) -> Bool {
        [rest, rest.dropFirst()].contains { rest in
            Command(beginning: words + rest.filter { !$0.hasPrefix("-") }) == .interviewWatch
        }
    }

    private static func option(_ argument: String) throws(Mistake) -> (Option, String?) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let value = parts.count > 1 ? String(parts[1]) : nil
        if name == "-h" { return (.help, value) }
        if let option = Option(rawValue: name) { return (option, value) }
        let nearest = NearestName(to: name, among: Option.allCases.map(\.rawValue)).name
        throw .unknownOption(name, nearest: nearest.flatMap(Option.init))
    }

    private mutating func take(_ value: String, for option: Option) throws(Mistake) {
        switch option {
        case .seed:
            guard let number = UInt64(value) else { throw .seedIsNoNumber(value) }
            seed = number
        case .language:
            guard let language = Language(named: value) else {
                throw .unknownLanguage(value, nearest: Language.nearest(to: value))
            }
            self.language = language
        case .engine:
            guard let engine = EngineName.available.first(where: { $0.rawValue == value.lowercased() }) else {
                throw .unknownEngine(value)
            }
            self.engine = engine
        case .schedule:
            guard Schedule.isText(value) else { throw .valueNotUnderstood(option, value) }
            schedule = value
        case .workbook: workbook = value
        case .progress: progress = value
        case .submission: submission = value
        case .report: report = value
        case .jobs: jobs = try Self.number(value, option, 1...Int.max)
        case .count: count = try Self.number(value, option, 1...Int.max)
        // A day at most: a mistake such as seconds for minutes is reported.
        case .minutes: minutes = try Self.number(value, option, 1...1440)
        case .hints: hints = try Self.number(value, option, 0...Int.max)
        case .pause: pauseMinutes = try Self.number(value, option, 1...1440)
        case .phase: phase = try Self.number(value, option, 1...1000)
        case .parent: parent = value
        case .withTests:
            guard value == KataTest.Tier.core.rawValue else { throw .valueNotUnderstood(option, value) }
            withTests = .core
        case .runs: runs = try Self.number(value, option, 1...1000)
        case .candidate:
            let name = value.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !name.isEmpty else { throw .missingValue(option) }
            candidate = name
        case .katas:
            katas = Self.list(value)
            if katas.isEmpty { throw .missingValue(option) }
        case .shard:
            guard let shard = Shard(value) else { throw .valueNotUnderstood(option, value) }
            self.shard = shard
        case .release:
            guard let release = Release(value) else { throw .valueNotUnderstood(option, value) }
            self.release = release
        case .deadline:
            guard let date = DateText(value) else { throw .valueNotUnderstood(option, value) }
            deadline = date
        case .policy: policy = value
        case .format:
            formats = Self.list(value)
            if formats.isEmpty { throw .missingValue(option) }
        case .observer:
            let name = value.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !InterviewFolder.safe(name).isEmpty else { throw .valueNotUnderstood(option, value) }
            observer = name
        case .json, .problems, .noCache, .noSandbox, .anonymous, .noPause, .resume, .blind, .solution, .noSolution,
            .forCandidate, .noObserver, .watch, .help, .version:
            break
        }
    }

    private static func number(_ value: String, _ option: Option, _ range: ClosedRange<Int>) throws(Mistake) -> Int {
        guard let number = Int(value), range.contains(number) else { throw .numberNotUnderstood(option, value, range) }
        return number
    }

    private mutating func name(_ words: [String]) throws(Mistake) {
        guard let first = words.first else { return }
        guard let command = Command(beginning: words) else {
            let family = Command.family(first.lowercased()).map(\.rawValue)
            if !family.isEmpty {
                let name = words.prefix(2).joined(separator: " ")
                let nearest = NearestName(to: name, among: family).name ?? family[0]
                throw .unknownCommand(name, nearest: Command(rawValue: nearest))
            }
            let nearest = NearestName(to: first, among: Command.allCases.map(\.rawValue)).name
            throw .unknownCommand(first, nearest: nearest.flatMap(Command.init))
        }
        self.command = command
        operands = Array(words.dropFirst(command.words.count))
    }

    private func checkOperands() throws(Mistake) {
        guard let command else { return }
        let count = command.operands.count
        if operands.count < count.lowerBound { throw .missingOperand(command) }
        if operands.count > count.upperBound { throw .operandNotWanted(operands[count.upperBound], command) }
        // An empty name is what a shell makes of a variable that is not set.
        if operands.contains("") { throw .missingOperand(command) }
        guard let operand = operands.first else { return }
        switch command.operands {
        case .shell:
            if Shell(rawValue: operand.lowercased()) == nil { throw .unknownShell(operand) }
        case .optionalLanguage:
            if Language(named: operand) == nil {
                throw .unknownLanguage(operand, nearest: Language.nearest(to: operand))
            }
        case .optionalCommand:
            if operands.count == 1, !Command.family(operand.lowercased()).isEmpty { return }
            guard let known = Command(beginning: operands) else {
                let nearest = NearestName(to: operand, among: Command.allCases.map(\.rawValue)).name
                throw .unknownCommand(operand, nearest: nearest.flatMap(Command.init))
            }
            if operands.count > known.words.count { throw .operandNotWanted(operands[1], command) }
        case .none, .katas, .optionalKata, .kata, .kataAndAnswer, .kataAndTest, .optionalRule, .folder, .folders,
            .reports, .optionalSession, .session, .sessions, .newKata, .newFolder, .optionalFolder:
            break
        }
    }
}
