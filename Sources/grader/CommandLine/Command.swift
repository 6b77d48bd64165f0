import Grading
import Reports
import Workbook

/// What the grader can be told to do.
enum Command: String, CaseIterable, Sendable {
    case watch, lsp, check, hint, debug, list, show, reset, solution, rule, language, doctor, grade, merge, progress
    case interview
    case interviewWatch = "interview watch"
    case interviewReport = "interview report"
    case interviewCompare = "interview compare"
    case interviewList = "interview list"
    case kataNew = "kata new"
    case kataVerify = "kata verify"
    case handout
    case completion, help, version

    /// The commands that begin with the word and have a second one.
    static func family(_ word: String) -> [Command] { allCases.filter { $0.words.count == 2 && $0.words[0] == word } }

    /// The words that it is typed with: some commands have two.
    var words: [String] { rawValue.split(separator: " ").map(String.init) }

    /// The command that the words begin with; the longer one counts.
    init?(beginning words: [String]) {
        let typed = words.prefix(2).map { $0.lowercased() }
        guard let command = Self(rawValue: typed.joined(separator: " ")) ?? typed.first.flatMap(Self.init) else {
            return nil
        }
        self = command
    }

    /// What may follow the command's name.
    enum Operands: Equatable, Sendable {
        case none
        case katas
        case optionalKata
        case kata
        case kataAndAnswer
        case kataAndTest
        case optionalRule
        case optionalLanguage
        case shell
        case optionalCommand
        /// A folder, and `--report` for what comes of it.
        case folder
        case folders
        /// The folders of reports of a class.
        case reports
        /// With `--resume`, the session's folder.
        case optionalSession
        case session
        case sessions
        case newKata
        /// A folder that is made.
        case newFolder
        /// A folder of sessions.
        case optionalFolder

        /// How many there may be.
        var count: ClosedRange<Int> {
            switch self {
            case .none: 0...0
            case .katas: 0...Int.max
            case .optionalKata, .optionalRule, .optionalLanguage, .optionalSession, .optionalFolder: 0...1
            case .optionalCommand: 0...2
            case .kataAndAnswer, .kataAndTest: 1...2
            case .kata, .shell, .folder, .session, .newKata, .newFolder: 1...1
            case .folders, .reports, .sessions: 1...Int.max
            }
        }

        /// As a line of help shows it.
        var placeholder: String {
            switch self {
            case .none: ""
            case .katas: "[KATA …]"
            case .optionalKata: "[KATA]"
            case .kata: "KATA"
            case .kataAndAnswer: "KATA [APPROACH]"
            case .kataAndTest: "KATA [TEST]"
            case .optionalRule: "[NAME]"
            case .optionalLanguage: "[CODE]"
            case .shell: "bash|zsh|fish"
            case .optionalCommand: "[COMMAND]"
            case .folder: "FOLDER \(Option.report.rawValue) FOLDER"
            case .optionalSession: "[\(Option.resume.rawValue) [FOLDER]]"
            case .session, .newFolder: "FOLDER"
            case .optionalFolder: "[FOLDER]"
            case .newKata: "NAME"
            case .sessions: "FOLDER …"
            case .reports: "REPORT …"
            case .folders: "FOLDER … \(Option.report.rawValue) FOLDER"
            }
        }
    }

    var operands: Operands {
        switch self {
        case .check, .kataVerify: .katas
        case .watch, .hint: .optionalKata
        case .show, .reset: .kata
        case .solution: .kataAndAnswer
        case .debug: .kataAndTest
        case .rule: .optionalRule
        case .language: .optionalLanguage
        case .completion: .shell
        case .grade: .folder
        case .merge: .folders
        case .progress: .reports
        case .interview: .optionalSession
        case .interviewWatch, .interviewReport: .session
        case .interviewCompare: .sessions
        case .interviewList: .optionalFolder
        case .kataNew: .newKata
        case .handout: .newFolder
        case .help: .optionalCommand
        case .list, .lsp, .doctor, .version: .none
        }
    }

    /// The options that mean something to the command.
    var options: [Option] {
        let everywhere: [Option] = [.language, .help, .version]
        return switch self {
        case .check:
            [
                .json, .problems, .noCache, .seed, .schedule, .noSandbox, .engine, .submission, .format, .policy,
                .deadline, .release, .workbook, .progress,
            ] + everywhere
        case .grade:
            [
                .report, .jobs, .katas, .shard, .format, .release, .deadline, .anonymous, .noCache, .seed, .noSandbox,
                .engine, .workbook, .progress,
            ] + everywhere
        case .merge: [.report, .format, .release, .deadline, .anonymous, .workbook, .progress] + everywhere
        case .progress: [.report, .json, .workbook, .progress] + everywhere
        case .interview:
            [
                .katas, .count, .seed, .minutes, .candidate, .hints, .pause, .noPause, .parent, .resume, .noSandbox,
                .engine, .workbook,
            ] + everywhere
        case .interviewWatch: [.observer, .workbook] + everywhere
        case .interviewReport: [.observer, .solution, .forCandidate, .workbook] + everywhere
        case .interviewCompare: [.blind, .report, .noSolution, .noObserver, .json, .workbook] + everywhere
        case .interviewList: [.json, .workbook] + everywhere
        case .watch, .lsp: [.noSandbox, .engine, .workbook, .progress] + everywhere
        case .hint: [.json, .noCache, .noSandbox, .engine, .workbook, .progress] + everywhere
        case .list, .show, .rule: [.json, .workbook, .progress] + everywhere
        case .doctor: [.json, .engine, .report, .workbook, .progress] + everywhere
        case .debug: [.seed, .workbook, .progress] + everywhere
        case .reset, .solution, .language: [.workbook, .progress] + everywhere
        case .kataNew: [.phase, .parent, .workbook] + everywhere
        case .handout: [.katas, .withTests, .workbook, .progress] + everywhere
        case .kataVerify: [.runs, .watch, .json, .noCache, .seed, .noSandbox, .engine, .workbook] + everywhere
        case .completion, .help, .version: everywhere
        }
    }

    /// Options of earlier versions, which ask for what is so without them.
    var formerOptions: [Option] { self == .interviewReport ? [.noObserver, .noSolution] : [] }

    var summary: MessageKey {
        switch self {
        case .watch: .summaryWatch
        case .lsp: .summaryLSP
        case .check: .summaryCheck
        case .hint: .summaryHint
        case .debug: .summaryDebug
        case .list: .summaryList
        case .show: .summaryShow
        case .reset: .summaryReset
        case .solution: .summarySolution
        case .rule: .summaryRule
        case .language: .summaryLanguage
        case .doctor: .summaryDoctor
        case .grade: .summaryGrade
        case .merge: .summaryMerge
        case .progress: .summaryClassProgress
        case .interview: .summaryInterview
        case .interviewWatch: .summaryInterviewWatch
        case .interviewReport: .summaryInterviewReport
        case .interviewCompare: .summaryInterviewCompare
        case .interviewList: .summaryInterviewList
        case .kataNew: .summaryKataNew
        case .kataVerify: .summaryKataVerify
        case .handout: .summaryHandout
        case .completion: .summaryCompletion
        case .help: .summaryHelp
        case .version: .summaryVersion
        }
    }
}

/// What changes how a command works.
enum Option: String, CaseIterable, Sendable {
    case json = "--json"
    case problems = "--problems"
    case noCache = "--no-cache"
    case seed = "--seed"
    case schedule = "--schedule"
    case noSandbox = "--no-sandbox"
    case engine = "--engine"
    case submission = "--submission"
    case report = "--report"
    case jobs = "--jobs"
    case katas = "--katas"
    case shard = "--shard"
    case format = "--format"
    case release = "--release"
    case deadline = "--deadline"
    case policy = "--policy"
    case anonymous = "--anonymous"
    case count = "--count"
    case minutes = "--minutes"
    case candidate = "--candidate"
    case hints = "--hints"
    case pause = "--pause"
    case noPause = "--no-pause"
    case resume = "--resume"
    case blind = "--blind"
    case observer = "--observer"
    case solution = "--solution"
    case forCandidate = "--for-candidate"
    case noSolution = "--no-solution"
    case noObserver = "--no-observer"
    case runs = "--runs"
    case watch = "--watch"
    case phase = "--phase"
    /// The folder in which a kata or a session is made.
    case parent = "--in"
    case withTests = "--with-tests"
    case language = "--language"
    case workbook = "--workbook"
    case progress = "--progress"
    case help = "--help"
    case version = "--version"

    /// What stands for the option's value in a line of help; `nil` for an option without one.
    var placeholder: String? {
        switch self {
        case .seed, .count, .hints, .runs: "N"
        case .minutes, .pause: "M"
        case .phase: "P"
        case .candidate: "NAME"
        case .schedule: "TEXT"
        case .withTests, .engine, .language:
            if case .word(let words) = value { words.joined(separator: "|") } else { nil }
        case .workbook, .submission, .report, .parent: "FOLDER"
        case .jobs: "N"
        case .katas: "A,B"
        case .shard: "I/N"
        case .format: "FORMAT"
        case .release: "LEVEL"
        case .deadline: "DATE"
        case .progress, .policy: "FILE"
        case .json, .problems, .noCache, .noSandbox, .anonymous, .noPause, .resume, .blind, .observer, .solution,
            .forCandidate, .noSolution, .noObserver, .watch, .help, .version:
            nil
        }
    }

    /// What the value of an option is, for a shell that completes it.
    enum Value: Equatable, Sendable {
        case none
        /// One of these words.
        case word([String])
        case folder
        case file
        /// Something that cannot be completed.
        case other
    }

    var value: Value {
        switch self {
        case .language: .word(Language.allCases.map(\.code))
        case .withTests: .word([KataTest.Tier.core.rawValue])
        case .engine: .word(EngineName.available.map(\.rawValue))
        case .workbook, .submission, .report, .parent: .folder
        case .progress, .policy: .file
        default: placeholder == nil ? .none : .other
        }
    }

    /// The same for one command: some options take other values there.
    func value(of command: Command) -> Value {
        switch (self, command) {
        case (.report, .doctor): .file
        case (.observer, .interviewWatch): .other
        case (.format, .check): .word(ReportFormats.forSubmissions.map { $0.name })
        case (.format, _): .word(ReportFormats.choosable)
        default: value
        }
    }

    /// What stands for the option's value in the help of one command.
    func placeholder(of command: Command) -> String? {
        switch value(of: command) {
        case .word(let words): words.joined(separator: "|")
        case .file: "FILE"
        case .other where self == .observer: "NAME"
        case .none, .folder, .other: placeholder
        }
    }

    /// As a command line shows it: `--seed N`.
    var typed: String { placeholder.map { "\(rawValue) \($0)" } ?? rawValue }

    /// The same where it has a value for some commands only.
    var typedWithValue: String { placeholder == nil ? "\(rawValue) \(example)" : typed }

    /// A value that would be understood, where a wrong one was typed.
    var example: String {
        switch self {
        case .jobs, .count: "2"
        case .minutes: "45"
        case .pause: "5"
        case .hints: "3"
        case .runs: "20"
        case .phase: "1"
        case .shard: "1/4"
        case .release: "core=hint3,robust=titles"
        case .deadline: "2026-12-01T23:59"
        case .schedule: "'A4>C C99>B'"
        case .observer: "NAME"
        case .format: ReportFormats.forClasses.joined(separator: ",")
        default: placeholder ?? ""
        }
    }

    /// What the option does with one command.
    func summary(of command: Command) -> MessageKey {
        switch (self, command) {
        case (.report, .doctor): .optionReportFile
        case (.observer, .interviewWatch): .optionObserverName
        default: summary
        }
    }

    var summary: MessageKey {
        switch self {
        case .json: .optionJSON
        case .problems: .optionProblems
        case .noCache: .optionNoCache
        case .seed: .optionSeed
        case .schedule: .optionSchedule
        case .noSandbox: .optionNoSandbox
        case .engine: .optionEngine
        case .submission: .optionSubmission
        case .report: .optionReport
        case .jobs: .optionJobs
        case .katas: .optionKatas
        case .shard: .optionShard
        case .format: .optionFormat
        case .release: .optionRelease
        case .deadline: .optionDeadline
        case .policy: .optionPolicy
        case .anonymous: .optionAnonymous
        case .count: .optionCount
        case .minutes: .optionMinutes
        case .candidate: .optionCandidate
        case .hints: .optionHints
        case .pause: .optionPause
        case .noPause: .optionNoPause
        case .resume: .optionResume
        case .blind: .optionBlind
        case .observer: .optionObserver
        case .solution: .optionSolution
        case .forCandidate: .optionForCandidate
        case .noSolution: .optionNoSolution
        case .noObserver: .optionNoObserver
        case .runs: .optionRuns
        case .watch: .optionWatch
        case .phase: .optionPhase
        case .parent: .optionIn
        case .withTests: .optionWithTests
        case .language: .optionLanguage
        case .workbook: .optionWorkbook
        case .progress: .optionProgress
        case .help: .optionHelp
        case .version: .summaryVersion
        }
    }
}

/// A shell that `completion` writes a script for.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
}
