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
    var workbook: WorkbookFolder
    /// What each kata says, by its name.
    var texts: [String: KataTexts]
    /// The current kata's brief, in Markdown.
    var brief: String
    /// Whether a kata that is passed says where its model answer is.
    var tellsModelAnswer = true
    /// The titles of the katas' phases.
    var phases: [Int: String] = [:]

    func lines(_ model: WatchModel) -> [String] {
        parts(model).lines(model.size, scroll: model.scroll, style: style, more: more)
    }

    /// How far the body can be scrolled.
    func lastScroll(_ model: WatchModel) -> Int { parts(model).lastScroll(model.size, style: style, more: more) }

    /// How many lines are further down, and how to see them.
    func more(_ lines: Int) -> String { watch(.moreBelow, .integer(lines)) }

    func parts(_ model: WatchModel) -> ScreenParts {
        switch model.screen {
        case .language(let cursor, let isFirstRun): languageParts(cursor, isFirstRun)
        case .kata: kataParts(model)
        case .brief: briefParts(model)
        case .list(let cursor, let asks): listParts(model, cursor, asks)
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

    private func kataParts(_ model: WatchModel) -> ScreenParts {
        let kata = model.kata
        var parts = ScreenParts()
        parts.head = [style.bold(kata.kata) + style.separator + phase(kata)] + progress(model) + [fileLine(kata), ""]
        parts.body = body(model)
        parts.foot = [""] + notice(model)
        parts.foot.append(
            keys([
                ("n", .keyNext), ("h", .keyHint), ("l", .keyList), ("r", .keyRun), ("b", .keyBrief),
                ("g", .keyLanguage),
                ("q", .keyQuit),
            ]))
        return parts
    }

    private func body(_ model: WatchModel) -> [String] {
        guard let verdict = model.verdict, let texts = texts[model.kata.kata] else { return [] }
        let localized = LocalizedVerdict(
            verdict, kata: model.kata, texts: texts, hintsShown: model.hintsShown[model.kata.kata] ?? [:])
        var style = style
        style.columns = model.size.columns
        let text = CheckText(strings: reports, style: style, hintStep: .key("h"))
        var lines: [String] = []
        if let test = model.kata.tests.first(where: { $0.id == model.openHint }) {
            let shown = model.hintsShown[model.kata.kata]?[test.id] ?? 1
            lines += text.hints(of: test, in: verdict, texts: texts, shown: shown, newestFirst: true)
        }
        let answer = workbook.modelAnswer(model.kata.kata)
        lines += text.lines(
            localized, path: typed(workbook.learnerFile(model.kata.kata)),
            modelAnswer: tellsModelAnswer ? typed(answer) : nil)
        if verdict.outcome == .notStarted { lines.append(watch(.readBrief, "b")) }
        if verdict.isPassed, model.passedCount < model.katas.count {
            lines.append(watch(.nextKata, "n"))
        }
        return lines
    }

    private func briefParts(_ model: WatchModel) -> ScreenParts {
        var parts = ScreenParts()
        parts.head = [style.bold(model.kata.kata) + style.separator + watch(.brief), ""]
        parts.body = BriefText.lines(of: brief, style: style)
        parts.foot = ["", keys([("↑↓", .keyMove), ("b", .keyBack), ("l", .keyList), ("q", .keyQuit)])]
        return parts
    }

    private func listParts(_ model: WatchModel, _ cursor: Int, _ asksToReset: Bool) -> ScreenParts {
        var parts = ScreenParts()
        parts.head = [style.bold(watch(.list))] + progress(model) + [""]
        let states = model.katas.map { reports(model.outcome(of: $0)) }
        let nameWidth = model.katas.map { CellWidth.of($0.kata) }.max() ?? 0
        let stateWidth = states.map { CellWidth.of($0) }.max() ?? 0
        for (index, kata) in model.katas.enumerated() {
            let outcome = model.outcome(of: kata)
            let mark = outcome.isPassed ? style.good : outcome == .notStarted ? style.open : style.bad
            let name = kata.kata.padded(toCells: nameWidth)
            let state = states[index].padded(toCells: stateWidth)
            let row = "\(mark) \(index == cursor ? style.bold(name) : name)  \(state)"
            let wide = TextWrap.visibleWidth(row) + 4 + CellWidth.of(phase(kata)) <= model.size.columns
            parts.body.append(
                (index == cursor ? style.bold("> ") : "  ") + row + (wide ? "  " + style.dim(phase(kata)) : ""))
        }
        if asksToReset {
            parts.foot = ["", style.yellow(watch(.askReset, .text(model.katas[cursor].kata), "y"))]
        } else {
            let entries: [(String, WatchKey)] = [
                ("↑↓", .keyMove), ("⏎", .keyJump), ("x", .keyReset), ("l", .keyBack), ("q", .keyQuit),
            ]
            parts.foot = [""] + notice(model) + [keys(entries)]
        }
        return parts
    }

    private func summaryParts(_ model: WatchModel) -> ScreenParts {
        var parts = ScreenParts()
        let outcomes = model.katas.map { model.outcome(of: $0) }
        let isComplete = outcomes.allSatisfy { $0 == .mastered }
        parts.head = [style.bold(reports(isComplete ? .allMastered : .allPassed)), ""]
        let width = model.katas.map { CellWidth.of($0.kata) }.max() ?? 0
        for (kata, outcome) in zip(model.katas, outcomes) {
            let mark = outcome.isPassed ? style.good : style.open
            parts.body.append("\(mark) \(kata.kata.padded(toCells: width))  \(reports(outcome))")
            if let texts = texts[kata.kata] {
                parts.body.append("  " + style.dim(outcome == .mastered ? texts.achieved : texts.mastering))
            }
        }
        if !isComplete {
            let open = outcomes.count { $0 != .mastered }
            parts.body += ["", watch(.summaryStillOpen, .integer(open))]
        }
        parts.foot = ["", keys([("↑↓", .keyMove), ("n", .keyBack), ("l", .keyList), ("q", .keyQuit)])]
        return parts
    }

    // MARK: - Pieces

    func phase(_ kata: Kata) -> String {
        phases[kata.phase] ?? "\(kata.phase)"
    }

    private func progress(_ model: WatchModel) -> [String] {
        let share = Double(model.passedCount) / Double(max(1, model.katas.count))
        let cells = max(6, min(30, model.size.columns / 3))
        let text = watch(.progress, .integer(model.passedCount), .integer(model.katas.count))
        return [style.green(style.bar(share, cells: cells)) + " " + text]
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
            case .noHint: watch(.noHint)
            case .noNext: watch(.noNext)
            case .trouble(let sentence): TextStyle.harmless(sentence)
            case nil: nil
            }
        // A long complaint leaves room for the keys; `grader check` tells it whole.
        if let text {
            return ScreenParts.wrapped([text], model.size.columns, style).prefix(max(1, model.size.rows / 3)).map(
                style.yellow)
        }
        if model.isGrading, let built = model.built {
            return [style.dim(style.bar(built, cells: 20) + " " + watch(.building))]
        }
        return [style.dim(watch(model.isGrading ? .grading : .saveToRun))]
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

extension WatchScreen {
    /// The screen in the session's language, still without a brief.
    init(_ session: WorkbookSession, _ katas: [Kata]) throws {
        let (strings, context) = (session.strings, session.context)
        self.init(
            watch: try WatchStrings(strings.language), reports: strings.reports, style: context.style,
            typed: { context.typed($0) }, workbook: session.workbook, texts: try session.texts(of: katas), brief: "",
            phases: try session.phases())
    }
}
