import Grading
import Reports

extension Command {
    static let watch = Command(
        "watch", takes: .optionalKata, .summaryWatch, [.noSandbox, .engine, .workbook, .progress]
    ) { try await WatchCommand(context: $0).run() }

    static let lsp = Command(
        "lsp", .summaryLSP, [.noSandbox, .engine, .workbook, .progress],
        perform: interruptible { try await LanguageServerCommand(context: $0).run() })

    static let check = Command(
        "check", takes: .katas, .summaryCheck,
        [
            .json, .problems, .noCache, .seed, .schedule, .noSandbox, .engine, .submission, .formatOfSubmission,
            .policy,
            .deadline, .release, .workbook, .progress,
        ],
        rules: [
            .operands, .only([.format, .release, .policy, .deadline], with: .submission), .formats(atMost: 1),
            .onlyWithOneKata(.schedule), .notBoth(.schedule, .submission), .notBoth(.json, .problems),
            .notBoth(.problems, .submission),
        ],
        perform: interruptible {
            if $0.request.submission == nil {
                try await CheckCommand(context: $0).run()
            } else {
                try await SubmissionCommand(context: $0).run()
            }
        })

    static let hint = Command(
        "hint", takes: .optionalKata, .summaryHint, [.json, .noCache, .noSandbox, .engine, .workbook, .progress],
        perform: interruptible { try await HintCommand(context: $0).run() })

    static let debug = Command(
        "debug", takes: Operands("KATA [TEST]", 1...2, .katas), .summaryDebug, [.seed, .workbook, .progress]
    ) { try await DebugCommand(context: $0).run() }

    static let list = Command("list", .summaryList, [.json, .workbook, .progress]) {
        try ListCommand(context: $0).run()
    }

    static let show = Command("show", takes: .kata, .summaryShow, [.json, .workbook, .progress]) {
        try ShowCommand(context: $0).run()
    }

    static let reset = Command("reset", takes: .kata, .summaryReset, [.workbook, .progress]) {
        try ResetCommand(context: $0).run()
    }

    static let solution = Command(
        "solution", takes: Operands("KATA [APPROACH]", 1...2, .katas), .summarySolution, [.workbook, .progress]
    ) { try SolutionCommand(context: $0).run() }

    static let rule = Command("rule", takes: Operands("[NAME]", 0...1), .summaryRule, [.json, .workbook, .progress]) {
        try RuleCommand(context: $0).run()
    }

    static let language = Command(
        "language", takes: Operands("[CODE]", 0...1, .language), .summaryLanguage, [.workbook, .progress]
    ) { try LanguageCommand(context: $0).run() }

    static let doctor = Command("doctor", .summaryDoctor, [.json, .engine, .reportFile, .workbook, .progress]) {
        try await DoctorCommand(context: $0).run()
    }

    static let grade = Command(
        "grade", takes: Operands("FOLDER \(Option.report.name) FOLDER", 1...1, .folders), .summaryGrade,
        [
            .report, .jobs, .katas, .shard, .formatOfClass, .release, .deadline, .anonymous, .noCache, .seed,
            .noSandbox,
            .engine, .workbook, .progress,
        ],
        rules: [.operands, .requires(.report), .formats()]
    ) { try await GradeCommand(context: $0).run() }

    static let merge = Command(
        "merge", takes: Operands("FOLDER … \(Option.report.name) FOLDER", 1...Int.max, .folders), .summaryMerge,
        [.report, .formatOfClass, .release, .deadline, .anonymous, .workbook, .progress],
        rules: [.operands, .requires(.report), .formats()]
    ) { try MergeCommand(context: $0).run() }

    static let progress = Command(
        "progress", takes: Operands("REPORT …", 1...Int.max, .folders), .summaryClassProgress,
        [.report, .json, .workbook, .progress]
    ) { try ClassProgressCommand(context: $0).run() }

    private static let ofNewSession: [Option] = [
        .katas, .count, .seed, .minutes, .candidate, .hints, .pause, .noPause,
    ]
    static let interview = Command(
        "interview", takes: Operands("[\(Option.resume.name) [FOLDER]]", 0...1), .summaryInterview,
        ofNewSession + [.parent, .resume, .noSandbox, .engine, .workbook],
        rules: [.notBoth(.pause, .noPause), .notBoth(.katas, .count), .resumed(without: ofNewSession), .operands]
    ) { try await InterviewCommand(context: $0).run() }

    static let interviewWatch = Command(
        "interview watch", takes: .folder, .summaryInterviewWatch, [.observerName, .workbook]
    ) { try await ObserverCommand(context: $0).run() }

    static let interviewReport = Command(
        "interview report", takes: .folder, .summaryInterviewReport, [.observer, .solution, .forCandidate, .workbook],
        former: [.noObserver, .noSolution],
        rules: [
            .operands, .notBoth(.solution, .noSolution), .notBoth(.observer, .noObserver),
            .notBoth(.forCandidate, .observer), .notBoth(.forCandidate, .solution),
        ]
    ) { try InterviewReportCommand(context: $0).run() }

    static let interviewCompare = Command(
        "interview compare", takes: Operands("FOLDER …", 1...Int.max, .folders), .summaryInterviewCompare,
        [.blind, .report, .noSolution, .noObserver, .json, .workbook]
    ) { try InterviewCompareCommand(context: $0).run() }

    static let interviewList = Command(
        "interview list", takes: Operands("[FOLDER]", 0...1, .folders), .summaryInterviewList, [.json, .workbook]
    ) { try InterviewListCommand(context: $0).run() }

    static let kataNew = Command(
        "kata new", takes: Operands("NAME", 1...1), .summaryKataNew, [.phase, .parent, .workbook]
    ) {
        try KataNewCommand(context: $0).run()
    }

    static let kataVerify = Command(
        "kata verify", takes: .katas, .summaryKataVerify,
        [.runs, .watch, .json, .noCache, .seed, .noSandbox, .engine, .workbook],
        rules: [.operands, .notBoth(.json, .watch)],
        perform: interruptible { try await KataVerifyCommand(context: $0).run() })

    static let handout = Command(
        "handout", takes: .folder, .summaryHandout, [.katas, .withTests, .workbook, .progress]
    ) { try HandoutCommand(context: $0).run() }

    static let completion = Command("completion", takes: Operands("bash|zsh|fish", 1...1, .shell), .summaryCompletion) {
        CompletionCommand(context: $0).run()
    }

    static let help = Command("help", takes: Operands("[COMMAND]", 0...2, .command), .summaryHelp) {
        HelpCommand(context: $0).run()
    }

    static let version = Command("version", .summaryVersion) { VersionCommand(context: $0).run() }

    /// In the order of help.
    static let all: [Command] = [
        watch, lsp, check, hint, debug, list, show, reset, solution, rule, language, doctor, grade, merge, progress,
        interview, interviewWatch, interviewReport, interviewCompare, interviewList, kataNew, kataVerify, handout,
        completion, help, version,
    ]

    /// Work that grades and that a signal may end: nothing that it has started or begun is left then.
    private static func interruptible(_ work: @escaping Perform) -> Perform {
        { context in
            let signals = Signals(Signals.ending) { SubmissionGrader.endProgram(by: $0) }
            defer { withExtendedLifetime(signals) {} }
            return try await work(context)
        }
    }
}
