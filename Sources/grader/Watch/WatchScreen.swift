import Foundation
import Reports
import Storage
import Workbook

/// Draws what the model knows: as many lines as the terminal has, each no wider than it.
struct WatchScreen: Sendable {
    var watch: WatchStrings
    var reports: ReportStrings
    var style: TextStyle
    /// A path as the learner would type it.
    var typed: @Sendable (URL) -> String
    /// A command as the learner would type it.
    var commandLine: @Sendable (Command, [String]) -> String
    var workbook: WorkbookFolder
    /// What each kata says, by its name.
    var texts: [String: KataTexts]
    /// The current kata's brief, in Markdown.
    var brief: String
    /// Where it says what mastering needs, among its sections.
    var mastering: Int?
    /// What the current kata's file held when it was graded.
    var source: String?
    /// Swift files beside it, which are not graded.
    var unused: [String] = []
    /// What a learner who has passed or mastered the current kata compares with.
    var answers: [ShownAnswer] = []
    /// What an interviewer asks about it, and what good answers mention.
    var questions: [InterviewAnswers.Question] = []
    /// The katas that can be written in other styles, too.
    var haveApproaches: Set<String> = []
    /// Whether a kata that is passed says that its model answer can be read.
    var tellsModelAnswer = true
    /// Whether the learner's file can be made the stub again.
    var canReset = true
    /// Whether another command can grade the same file.
    var tellsScheduleCommand = true
    /// Whether the key for the next hint is named.
    var tellsNextHint = true
    /// What each kata stands under, by its name.
    var groups: [String: String] = [:]
    /// The pages of the rules, and those that the learner has met.
    var rules: [RuleReport] = []
    var solved: [String: SolvedRule] = [:]

    func lines(_ model: WatchModel) -> [String] {
        parts(model).lines(model.size, scroll: model.scroll, style: style, more: more)
    }

    /// How far the body can be scrolled.
    func lastScroll(_ model: WatchModel) -> Int { parts(model).lastScroll(model.size, style: style, more: more) }

    /// How many lines are further down, and how to see them.
    func more(_ lines: Int) -> String { watch(.moreBelow, .integer(lines)) }

    func parts(_ model: WatchModel) -> ScreenParts {
        var parts = screenParts(model)
        if let kata = model.asksToReset {
            parts.foot = ["", style.yellow(watch(.askReset, .text(model.katas[kata].kata), "y"))]
        }
        return parts
    }

    private func screenParts(_ model: WatchModel) -> ScreenParts {
        switch model.screen {
        case .language(let cursor, let isFirstRun): languageParts(cursor, isFirstRun)
        case .introduction: introductionParts(model)
        case .kata: kataParts(model)
        case .brief: briefParts(model)
        case .rules: rulesParts(model)
        case .keys: keysParts(model)
        case .list(let cursor): listParts(model, cursor)
        case .tests(let cursor): testsParts(model, cursor)
        case .test(let id, _): testParts(model, id)
        case .answer: answerParts(model)
        case .summary: summaryParts(model)
        }
    }

    // MARK: - Screens

    private func languageParts(_ cursor: Int, _ isFirstRun: Bool) -> ScreenParts {
        var parts = ScreenParts()
        // The welcome is in the language under the cursor, so that its readers recognize it.
        parts.head = isFirstRun ? [style.bold(watch(.welcome)), ""] : []
        parts.body = [watch(.chooseLanguage), ""]
        for (index, language) in Language.allCases.enumerated() {
            let line = "\(index + 1)  \(language.name(isUnicode: style.isUnicode))"
            parts.body.append(index == cursor ? style.bold("> " + line) : "  " + line)
        }
        parts.foot = ["", keys([("↑↓", .keyMove), ("⏎", .keyChoose), ("q", .keyQuit)])]
        return parts
    }

    private func introductionParts(_ model: WatchModel) -> ScreenParts {
        let sentences = [
            watch(.introKata), watch(.introTiers),
            watch(.introFile, .text(typed(workbook.learnerFile(model.kata.kata)))),
            watch(.introHints, "h"),
        ]
        return ScreenParts(
            head: [style.bold(watch(.introTitle)), ""], body: sentences.flatMap { [$0, ""] },
            foot: ["", keys([("⏎", .keyGoOn), ("q", .keyQuit)])])
    }

    private func kataParts(_ model: WatchModel) -> ScreenParts {
        let kata = model.kata
        var parts = ScreenParts()
        parts.head = [style.bold(kata.kata) + style.separator + group(kata)] + progress(model) + [fileLine(kata), ""]
        parts.body = body(model)
        parts.foot = [""] + notice(model)
        parts.foot.append(keys(kataKeys(hasAnswers: model.outcome(of: model.kata).isPassed)))
        return parts
    }

    /// The keys of the kata's screen; that of the answers where they may be read.
    private func kataKeys(hasAnswers: Bool) -> [(key: String, meaning: WatchKey)] {
        let answers: [(String, WatchKey)] = hasAnswers ? [("m", .keyAnswers)] : []
        return [("h", .keyHint), ("t", .keyTests), ("b", .keyBrief), ("u", .keyRules)] + answers + [
            ("e", .keyEdit), ("n", .keyNext), ("p", .keyPrevious), ("l", .keyList), ("r", .keyRun), ("c", .keyCheckAll),
            ("x", .keyReset), ("g", .keyLanguage), ("?", .keyKeys), ("q", .keyQuit),
        ]
    }

    private func keysParts(_ model: WatchModel) -> ScreenParts {
        var parts = ScreenParts()
        parts.head = [style.bold(watch(.keys)), ""]
        parts.body = (kataKeys(hasAnswers: true) + [("↑↓", .keyMove)]).map { "  " + keys([$0]) }
        parts.body += [""] + Self.outcomes.map { "  " + style.mark($0) + " " + reports($0) }
        parts.body.append("  " + style.mark(.notStarted) + " " + watch(.signOpen))
        parts.foot = ["", keys([("?", .keyBack), ("q", .keyQuit)])]
        return parts
    }

    /// One for each sign but that of what is open: themes have it, too.
    private static let outcomes: [Verdict.Outcome] = [.mastered, .passed, .failed]

    /// What says a verdict on this screen.
    private func text(_ model: WatchModel) -> CheckText {
        var style = style
        style.columns = model.size.columns
        var text = CheckText(strings: reports, style: style, hintStep: tellsNextHint ? .key("h") : .noneLeft)
        text.solved = solved
        if tellsScheduleCommand {
            text.scheduleStep = .command { [commandLine, kata = model.kata.kata] in
                commandLine(.check, [kata, Option.schedule.name, "'\($0)'"])
            }
        }
        return text
    }

    private func body(_ model: WatchModel) -> [String] {
        guard let verdict = model.verdict, let texts = texts[model.kata.kata] else { return [] }
        let localized = LocalizedVerdict(
            verdict, kata: model.kata, texts: texts, hintsShown: model.hintsShown[model.kata.kata] ?? [:])
        var next: [String] = []
        if verdict.isPassed, tellsModelAnswer {
            next = (effort(model).map { [$0] } ?? []) + [readAnswer(model, verdict)]
        }
        if verdict.isPassed, model.passedCount < model.katas.count { next.append(watch(.nextKata, "n")) }
        var lines = text(model).lines(
            localized, path: typed(workbook.learnerFile(model.kata.kata)), modelAnswer: nil, source: source,
            next: next, unused: unused, openHint: model.kata.tests.first { $0.id == model.openHint })
        let isMissing = verdict.diagnostics.contains { $0.message.key == .fileMissing }
        if canReset, isMissing || source?.allSatisfy(\.isWhitespace) == true { lines.append(watch(.restoreStub, "x")) }
        if verdict.outcome == .notStarted { lines.append(watch(.readBrief, "b")) }
        return lines
    }

    /// Who has mastered a kata in one style has not met the others.
    private func readAnswer(_ model: WatchModel, _ verdict: Verdict) -> String {
        let hasOthers = verdict.outcome == .mastered && haveApproaches.contains(model.kata.kata)
        return watch(hasOthers ? .readOtherWays : .readAnswer, "m")
    }

    /// What is left, and what is done: all tests of the kata.
    private func testsParts(_ model: WatchModel, _ cursor: Int) -> ScreenParts {
        var parts = ScreenParts()
        parts.head = [style.bold(model.kata.kata) + style.separator + watch(.tests), ""]
        let results = Dictionary((model.verdict?.tests ?? []).map { ($0.id, $0) }) { first, _ in first }
        var tier: KataTest.Tier?
        for (index, test) in model.listedTests.enumerated() {
            if test.tier != tier { parts.body.append(style.bold(reports(ReportKey(test.tier)))) }
            tier = test.tier
            let result = results[test.id]
            let title = texts[model.kata.kata]?.title(of: test) ?? test.id
            let points = "\(result?.points ?? 0)/\(test.points)"
            parts.body.append(
                (index == cursor ? style.bold("> ") : "  ") + style.mark(result?.outcome) + " "
                    + (index == cursor ? style.bold(title) : title) + "  " + style.dim(points))
        }
        parts.foot = ["", keys([("↑↓", .keyMove), ("⏎", .keyJump), ("t", .keyBack), ("q", .keyQuit)])]
        return parts
    }

    private func testParts(_ model: WatchModel, _ id: KataTest.ID) -> ScreenParts {
        var parts = ScreenParts()
        parts.head = [style.bold(model.kata.kata) + style.separator + watch(.tests), ""]
        guard let test = model.kata.tests.first(where: { $0.id == id }), let texts = texts[model.kata.kata] else {
            return parts
        }
        let text = text(model)
        let result =
            model.verdict?.tests.first { $0.id == id } ?? TestVerdict(id: id, outcome: .notRun, points: 0)
        parts.body = text.failure(test, result, title: texts.title(of: test))
        if model.openHint == id, let shown = model.hintsShown[model.kata.kata]?[test.mistake(in: model.verdict)] {
            parts.body += [""] + text.hints(of: test, in: model.verdict, texts: texts, shown: shown)
        }
        let hint: [(String, WatchKey)] = model.testInNeed == nil ? [] : [("h", .keyHint)]
        parts.foot = [""] + notice(model) + [keys(hint + [("↑↓", .keyMove), ("t", .keyBack), ("q", .keyQuit)])]
        return parts
    }

    /// How long it took, from the first try to the best outcome so far, and how many tries.
    private func effort(_ model: WatchModel) -> String? {
        guard let progress = model.remembered[model.kata.kata], let begun = progress.firstTriedAt,
            let done = progress.masteredAt ?? progress.passedAt
        else { return nil }
        let hints = progress.hintsShown.values.reduce(0, +)
        return watch(
            .effort, .text(ClockText.elapsed(done.timeIntervalSince(begun))), .integer(progress.attempts),
            .integer(hints))
    }

    /// What a learner who is done compares with: our code, and what the hints would have said.
    private func answerParts(_ model: WatchModel) -> ScreenParts {
        let kata = model.kata
        var parts = ScreenParts()
        parts.head = [style.bold(kata.kata) + style.separator + watch(.answers), ""]
        parts.foot = ["", keys([("↑↓", .keyMove), ("m", .keyBack), ("l", .keyList), ("q", .keyQuit)])]
        guard model.showsModelAnswer else {
            parts.body = answers.filter { $0.kind != .model }.flatMap(lines)
            parts.foot.insert(style.yellow(watch(.askModelAnswer, "y")), at: 1)
            return parts
        }
        parts.body = answers.flatMap(lines)
        parts.body += questions.flatMap { question in
            [style.bold(question.text)] + question.points.map { "  · " + $0 } + [""]
        }
        if let texts = texts[kata.kata] {
            let text = CheckText(strings: reports, style: style, hintStep: .key("h"))
            for test in kata.tests {
                parts.body += [style.bold(texts.title(of: test)), ""]
                parts.body += text.hints(
                    of: test, in: model.verdict, texts: texts, shown: KataTest.hintLevels, dimsEarlier: false)
            }
        }
        return parts
    }

    /// An answer with what it trades.
    private func lines(_ answer: ShownAnswer) -> [String] {
        let kind: WatchKey =
            switch answer.kind {
            case .passing: .answerPassing
            case .model: .answer
            case .approach: .answerApproach
            }
        let facts = [style.bold(watch(kind)), answer.title].compactMap(\.self).joined(separator: style.separator)
        return [facts] + answer.trade.map { "  " + $0 } + [""]
            + TextStyle.lines(of: TextStyle.harmless(answer.text)).map { "    " + $0 } + [""]
    }

    /// The rules that the kata tests.
    private func rulesParts(_ model: WatchModel) -> ScreenParts {
        var parts = ScreenParts()
        parts.head = [style.bold(model.kata.kata) + style.separator + watch(.rules), ""]
        let names = Set(model.kata.tests.compactMap(\.rule))
        parts.body = rules.filter { names.contains($0.rule) }.flatMap { $0.lines(reports, style: style) + [""] }
        parts.foot = ["", keys([("↑↓", .keyMove), ("u", .keyBack), ("l", .keyList), ("q", .keyQuit)])]
        return parts
    }

    /// How far down the brief says what mastering needs.
    func masteringScroll(_ model: WatchModel) -> Int {
        guard let mastering, let before = BriefText.text(brief, beforeSection: mastering) else { return 0 }
        return ScreenParts.wrapped(BriefText.lines(of: before, style: style) + [""], model.size.columns, style).count
    }

    private func briefParts(_ model: WatchModel) -> ScreenParts {
        var parts = ScreenParts()
        parts.head = [style.bold(model.kata.kata) + style.separator + watch(.brief), ""]
        parts.body = BriefText.lines(of: brief, style: style)
        parts.foot = ["", keys([("↑↓", .keyMove), ("b", .keyBack), ("l", .keyList), ("q", .keyQuit)])]
        return parts
    }

    private func listParts(_ model: WatchModel, _ cursor: Int) -> ScreenParts {
        var parts = ScreenParts()
        parts.head = [style.bold(watch(.list))] + progress(model) + [""]
        let states = model.katas.map { reports(model.outcome(of: $0)) }
        let nameWidth = model.katas.map { CellWidth.of($0.kata) }.max() ?? 0
        var last: String?
        for (index, kata) in model.katas.enumerated() {
            if group(kata) != last { parts.body.append(style.bold(group(kata))) }
            last = group(kata)
            let outcome = model.outcome(of: kata)
            let mark = style.mark(outcome)
            let name = kata.kata.padded(toCells: nameWidth)
            let row = "\(mark) \(index == cursor ? style.bold(name) : name)  \(states[index])"
            parts.body.append((index == cursor ? style.bold("> ") : "  ") + row)
        }
        let entries: [(String, WatchKey)] = [
            ("↑↓", .keyMove), ("⏎", .keyJump), ("c", .keyCheckAll), ("x", .keyReset), ("l", .keyBack), ("q", .keyQuit),
        ]
        parts.foot = [""] + notice(model) + [keys(entries)]
        return parts
    }

    private func summaryParts(_ model: WatchModel) -> ScreenParts {
        var parts = ScreenParts()
        let outcomes = model.katas.map { model.outcome(of: $0) }
        let isComplete = outcomes.allSatisfy { $0 == .mastered }
        parts.head = [style.bold(reports(isComplete ? .allMastered : .allPassed)), ""]
        let width = model.katas.map { CellWidth.of($0.kata) }.max() ?? 0
        for (kata, outcome) in zip(model.katas, outcomes) {
            let mark = style.mark(outcome)
            parts.body.append("\(mark) \(kata.kata.padded(toCells: width))  \(reports(outcome))")
            if let texts = texts[kata.kata] {
                parts.body.append("  " + style.dim(outcome == .mastered ? texts.achieved : texts.mastering))
            }
        }
        if !isComplete {
            let open = outcomes.count { $0 != .mastered }
            parts.body += ["", watch(.summaryStillOpen, .integer(open)), watch(.summaryNextRobust, "n")]
        }
        parts.body += ["", watch(.summaryInterview, .text(commandLine(.interview, [])))]
        let next: [(String, WatchKey)] = [("n", isComplete ? .keyBack : .keyNext)]
        parts.foot = ["", keys([("↑↓", .keyMove)] + next + [("l", .keyList), ("q", .keyQuit)])]
        return parts
    }

    // MARK: - Pieces

    func group(_ kata: Kata) -> String { groups[kata.kata] ?? "\(kata.phase)" }

    private func progress(_ model: WatchModel) -> [String] {
        let cells = max(6, min(30, model.size.columns / 3))
        let count = max(1, model.katas.count)
        let bar = style.bar([model.masteredCount, model.passedCount].map { Double($0) / Double(count) }, cells: cells)
        let passed = watch(.progress, .integer(model.passedCount), .integer(model.katas.count))
        let facts = [passed] + (model.masteredCount > 0 ? [watch(.masteredCount, .integer(model.masteredCount))] : [])
        return [style.green(bar) + " " + facts.joined(separator: style.separator)]
    }

    func fileLine(_ kata: Kata) -> String {
        let file = workbook.learnerFile(kata.kata)
        return watch(.file, .text(style.link(typed(file), to: file)))
    }

    func notice(_ model: WatchModel) -> [String] {
        let text: String? =
            switch model.notice {
            case .reset(let backup?): watch(.wasReset, .text(typed(URL(fileURLWithPath: backup))))
            case .reset(nil): watch(.wasResetUnchanged)
            case .noHint(.grading): watch(.noHint)
            case .noHint(.didNotCompile): watch(.noHintCompile)
            case .noHint(.rejected): watch(.noHintRejected)
            case .noHint(.mastered): reports(.hintNone, .text(model.kata.kata))
            case .noHint(.lastShown): reports(.hintLastOfTest)
            case .noUse(let letter): watch(.noUse, .text(TextStyle.harmless(String(letter))))
            case .noNext: watch(.noNext)
            case .switched: watch(.switched, .text(model.kata.kata))
            case .checkedAll: watch(.checkedAll)
            case .noAnswer: watch(.noAnswer)
            case .noRules: watch(.noRules)
            case .noEditor: watch(.noEditor, .text(typed(workbook.learnerFile(model.kata.kata))))
            case .trouble(let sentence): TextStyle.harmless(sentence)
            case nil: nil
            }
        // A long complaint leaves room for the keys; `grader check` tells it whole.
        let said = text.map { text in
            ScreenParts.wrapped([text], model.size.columns, style).prefix(max(1, model.size.rows / 3)).map(style.yellow)
        }
        if model.isGrading { return (said ?? []) + [style.dim(gradingLine(model))] }
        if let said { return said }
        let news = ScreenParts.wrapped(milestones(model) + change(model), model.size.columns, style)
        return news.isEmpty ? [style.dim(watch(.saveToRun))] : Array(news.prefix(max(1, model.size.rows / 6)))
    }

    /// What was reached for the first time: it is said once.
    private func milestones(_ model: WatchModel) -> [String] {
        guard model.screen == .kata else { return [] }
        var lines: [String] = []
        let themes = model.milestones.themes.map { reports(ReportKey($0)) }
        if !themes.isEmpty { lines.append(style.good + " " + reports(.themeComplete, .list(themes))) }
        let titles = rules.filter { model.milestones.rules.contains($0.rule) }.map(\.title)
        if !titles.isEmpty {
            lines.append(style.good + " " + watch(.rulesLearned, .integer(titles.count), .text(titles[0]), .text("u")))
        }
        return lines
    }

    /// What the last save has changed: `+3 ✓, −1 ✗ …`.
    private func change(_ model: WatchModel) -> [String] {
        guard let change = model.change, model.screen == .kata else { return [] }
        var facts: [String] = []
        if change.passing > 0 { facts.append(style.green("+\(change.passing) ") + style.good) }
        if !change.broken.isEmpty {
            let texts = texts[model.kata.kata]
            let titles = change.broken.compactMap { id in
                model.kata.tests.first { $0.id == id }.flatMap { texts?.title(of: $0) }
            }
            facts.append(
                style.red("−\(change.broken.count) ") + style.bad + " " + titles.joined(separator: "; "))
        }
        return [watch(.sinceSave, .text(facts.joined(separator: ", ")))]
    }

    /// How far the grading is.
    private func gradingLine(_ model: WatchModel) -> String {
        if let count = model.checkedCount {
            return watch(.checkingAll, .integer(count), .integer(model.katas.count))
        }
        if let built = model.built { return style.bar(built, cells: 20) + " " + watch(.building) }
        return switch model.step {
        case .buildingTests: watch(.buildingTests, .text(model.kata.kata))
        case .compiling: watch(.compiling)
        case .running: watch(.running)
        case .lookingAgain: watch(.lookingAgain)
        case nil: watch(.grading)
        }
    }

    func keys(_ entries: [(key: String, meaning: WatchKey)]) -> String {
        line(entries.map { ($0.key, watch($0.meaning)) })
    }

    /// Keys, each with what it does, none broken where the line is.
    func line(_ entries: [(key: String, meaning: String)]) -> String {
        entries.map { key, meaning in
            let key = style.isUnicode ? key : key == "⏎" ? "Enter" : key == "↑↓" ? "j/k" : key
            return style.bold(key) + "\u{A0}" + meaning.replacingOccurrences(of: " ", with: "\u{A0}")
        }.joined(separator: "  ")
    }
}

extension TextStyle {
    /// How a test has ended, in one cell.
    fileprivate func mark(_ outcome: TestVerdict.Outcome?) -> String {
        switch outcome {
        case .passed: good
        case .notRun, nil: open
        case .failed, .crashed, .timedOut: bad
        }
    }
}

extension WatchScreen {
    /// The screen in the session's language, still without a brief.
    init(_ session: WorkbookSession, _ katas: [Kata]) throws {
        let (strings, context) = (session.strings, session.context)
        let rules = try session.rules()
        self.init(
            watch: try WatchStrings(strings.language), reports: strings.reports, style: context.style,
            typed: { context.typed($0) }, commandLine: { context.commandLine($0, $1) },
            workbook: session.workbook, texts: try session.texts(of: katas), brief: "",
            haveApproaches: Set(katas.filter(session.hasApproaches).map(\.kata)), groups: try session.groupTitles(),
            rules: rules,
            solved: session.solved(rules))
    }
}
