import Reports

extension Command {
    static let watch = Command(
        "watch", takes: .optionalKata, .summaryWatch, [.noSandbox, .engine, .workbook, .progress])

    static let lsp = Command(
        "lsp", .summaryLSP, [.noSandbox, .engine, .workbook, .progress])

    static let check = Command(
        "check", takes: .katas, .summaryCheck,
        [
            .json, .problems, .noCache, .seed, .schedule, .noSandbox, .engine, .submission, .formatOfSubmission,
            .policy, .deadline, .release, .workbook, .progress,
        ],
        rules: [
            .operands, .only([.format, .release, .policy, .deadline], with: .submission), .formats(atMost: 1),
            .onlyWithOneKata(.schedule), .notBoth(.schedule, .submission), .notBoth(.json, .problems),
            .notBoth(.problems, .submission),
        ])

    static let hint = Command(
        "hint", takes: .optionalKata, .summaryHint, [.json, .noCache, .noSandbox, .engine, .workbook, .progress])

    static let debug = Command(
        "debug", takes: Operands("KATA [TEST]", 1...2, .katas), .summaryDebug, [.seed, .workbook, .progress])

    static let list = Command("list", .summaryList, [.json, .workbook, .progress])

    static let show = Command("show", takes: .kata, .summaryShow, [.json, .workbook, .progress])

    static let reset = Command("reset", takes: .kata, .summaryReset, [.workbook, .progress])

    static let solution = Command(
        "solution", takes: Operands("KATA [APPROACH]", 1...2, .katas), .summarySolution, [.workbook, .progress])

    static let rule = Command("rule", takes: Operands("[NAME]", 0...1), .summaryRule, [.json, .workbook, .progress])

    static let language = Command(
        "language", takes: Operands("[CODE]", 0...1, .language), .summaryLanguage, [.workbook, .progress])

    static let doctor = Command("doctor", .summaryDoctor, [.json, .engine, .reportFile, .workbook, .progress])

    static let grade = Command(
        "grade", takes: Operands("FOLDER \(Option.report.name) FOLDER", 1...1, .folders), .summaryGrade,
        [
            .report, .jobs, .katas, .shard, .formatOfClass, .release, .deadline, .anonymous, .noCache, .seed,
            .noSandbox, .engine, .workbook, .progress,
        ],
        rules: [.operands, .requires(.report), .formats()])

    static let merge = Command(
        "merge", takes: Operands("FOLDER … \(Option.report.name) FOLDER", 1...Int.max, .folders), .summaryMerge,
        [.report, .formatOfClass, .release, .deadline, .anonymous, .workbook, .progress],
        rules: [.operands, .requires(.report), .formats()])

    static let progress = Command(
        "progress", takes: Operands("REPORT …", 1...Int.max, .folders), .summaryClassProgress,
        [.report, .json, .workbook, .progress])

    private static let ofNewSession: [Option] = [
        .katas, .count, .seed, .minutes, .candidate, .hints, .pause, .noPause,
    ]
    static let interview = Command(
        "interview", takes: Operands("[\(Option.resume.name) [FOLDER]]", 0...1), .summaryInterview,
        ofNewSession + [.parent, .resume, .noSandbox, .engine, .workbook],
        rules: [.notBoth(.pause, .noPause), .notBoth(.katas, .count), .resumed(without: ofNewSession), .operands])

    static let interviewWatch = Command(
        "interview watch", takes: .folder, .summaryInterviewWatch, [.observerName, .workbook])

    static let interviewReport = Command(
        "interview report", takes: .folder, .summaryInterviewReport, [.observer, .solution, .forCandidate, .workbook],
        former: [.noObserver, .noSolution],
        rules: [
            .operands, .notBoth(.solution, .noSolution), .notBoth(.observer, .noObserver),
            .notBoth(.forCandidate, .observer), .notBoth(.forCandidate, .solution),
        ])

    static let interviewCompare = Command(
        "interview compare", takes: Operands("FOLDER …", 1...Int.max, .folders), .summaryInterviewCompare,
        [.blind, .report, .noSolution, .noObserver, .json, .workbook])

    static let interviewList = Command(
        "interview list", takes: Operands("[FOLDER]", 0...1, .folders), .summaryInterviewList, [.json, .workbook])

    static let kataNew = Command(
        "kata new", takes: Operands("NAME", 1...1), .summaryKataNew, [.phase, .parent, .workbook])

    static let kataVerify = Command(
        "kata verify", takes: .katas, .summaryKataVerify,
        [.runs, .watch, .json, .noCache, .seed, .noSandbox, .engine, .workbook],
        rules: [.operands, .notBoth(.json, .watch)])

    static let handout = Command(
        "handout", takes: .folder, .summaryHandout, [.katas, .withTests, .workbook, .progress])

    static let completion = Command("completion", takes: Operands("bash|zsh|fish", 1...1, .shell), .summaryCompletion)

    static let help = Command("help", takes: Operands("[COMMAND]", 0...2, .command), .summaryHelp)

    static let version = Command("version", .summaryVersion)

    /// In the order of help.
    static let all: [Command] = [
        watch, lsp, check, hint, debug, list, show, reset, solution, rule, language, doctor, grade, merge, progress,
        interview, interviewWatch, interviewReport, interviewCompare, interviewList, kataNew, kataVerify, handout,
        completion, help, version,
    ]
}
