import Foundation
import Reports
import Storage
import Workbook

/// Draws an interview: watch mode's screens with the time above and the session's own keys below.
struct InterviewScreen: Sendable {
    var watch: WatchScreen
    var strings: InterviewStrings
    var folder: InterviewFolder
    /// What the session came to, once it is over.
    var record: InterviewRecord?

    /// From here on the time stands out.
    static let lastMinutes = 300.0

    private var style: TextStyle { watch.style }

    func lines(_ model: InterviewModel) -> [String] {
        parts(model).lines(model.watch.size, scroll: model.watch.scroll, style: style, more: watch.more)
    }

    func lastScroll(_ model: InterviewModel) -> Int {
        parts(model).lastScroll(model.watch.size, style: style, more: watch.more)
    }

    private func parts(_ model: InterviewModel) -> ScreenParts {
        switch model.phase {
        case .ready: readyParts(model)
        case .running: runningParts(model)
        case .paused: pausedParts(model)
        case .closing(let end): closingParts(model, end)
        case .closed(let end):
            ScreenParts(
                head: [style.bold(title(end)), ""], body: summary(model),
                foot: ["", watch.keys([("↑↓", .keyMove), ("q", .keyQuit)])])
        }
    }

    // MARK: - Screens

    private func readyParts(_ model: InterviewModel) -> ScreenParts {
        if case .language = model.watch.screen { return watch.parts(model.watch) }
        let plan = model.plan
        let files = plan.katas.enumerated().map { index, kata in
            "  \(index + 1)  \(style.bold(kata.kata))" + style.separator + watch.group(kata)
        }
        return ScreenParts(
            head: [style.bold(strings(.ready)), ""],
            body: [strings(.readyTime, .text(ClockText.elapsed(plan.seconds)))] + files
                + ["", strings(.readyFolder), watch.typed(folder.url), strings(.readyEditor), ""] + rules(plan)
                + [strings(.observerWatchCommand, .text(watchCommand))],
            foot: ["", line([("⏎", .keyStart)]) + "  " + watch.keys([("g", .keyLanguage), ("q", .keyQuit)])])
    }

    /// What counts in the session, a sentence each.
    func rules(_ plan: InterviewPlan) -> [String] {
        [
            strings(.ruleSaves), plan.hints.map { strings(.ruleHints, .integer($0)) } ?? strings(.ruleHintsFree),
            rule(pauses: plan.pauseMinutes), strings(.ruleEnd),
        ]
    }

    private func rule(pauses minutes: Int?) -> String {
        switch minutes {
        case nil: strings(.rulePause)
        case 0?: strings(.ruleNoPause)
        case let minutes?: strings(.rulePauseLimited, .text(ClockText.elapsed(Double(minutes) * 60)))
        }
    }

    private func runningParts(_ model: InterviewModel) -> ScreenParts {
        var watch = watch
        watch.source = model.texts[model.watch.kata.kata]
        watch.tellsNextHint = !model.isOutOfHints
        var parts = watch.parts(model.watch)
        switch model.watch.screen {
        case .kata:
            let kata = model.watch.kata
            parts.head = [
                style.bold(kata.kata) + style.separator + watch.group(kata), watch.fileLine(kata), "",
            ]
            parts.foot = [""] + notice(model) + [keys(model)]
        case .list:
            // Nothing of a session is thrown away: there is no key for it.
            parts.foot = [""] + notice(model)
            parts.foot.append(watch.keys([("↑↓", .keyMove), ("⏎", .keyJump), ("l", .keyBack), ("q", .keyQuit)]))
        case .brief, .language, .introduction, .summary, .answer, .rules, .keys, .tests, .test: break
        }
        parts.head.insert(status(model), at: 0)
        return asking(model, parts)
    }

    private func pausedParts(_ model: InterviewModel) -> ScreenParts {
        var parts = ScreenParts()
        parts.head = [status(model), ""]
        parts.body = [style.bold(strings(.paused)), strings(.pausedExplained)]
        if let left = model.pauseLeft {
            parts.body.append(strings(.pauseLeft, .text(ClockText.left(left - model.time.pausedSeconds))))
        }
        parts.foot = [""] + (model.notice == nil ? [] : notice(model))
        parts.foot.append(line([("p", .keyGoOn), ("a", .keyNote), ("f", .keyFinish)]) + "  " + quitKey)
        return asking(model, parts)
    }

    private func closingParts(_ model: InterviewModel, _ end: InterviewRecord.End) -> ScreenParts {
        ScreenParts(
            head: [style.bold(title(end)), ""], body: [strings(.closing)], foot: ["", quitKey])
    }

    /// A question or a line that is typed stands where the keys are.
    private func asking(_ model: InterviewModel, _ parts: ScreenParts) -> ScreenParts {
        var parts = parts
        if let note = model.note {
            let label = style.bold(strings(.note)) + " "
            let cells = max(1, model.watch.size.columns - TextWrap.visibleWidth(label) - 2)
            let cursor = style.isUnicode ? "▏" : "_"
            parts.foot = [
                "", label + TextStyle.harmless(note.tail(cells: cells)) + cursor,
                line([("⏎", .keyKeep), ("Esc", .keyCancel)]),
            ]
        } else if model.asksToFinish {
            parts.foot = ["", style.yellow(strings(.askFinish, "y"))]
        }
        return parts
    }

    // MARK: - What the session came to

    /// What the last screen shows, and what stays on the terminal after it.
    func summary(_ model: InterviewModel) -> [String] {
        guard let record else { return [] }
        let width = record.katas.map { CellWidth.of($0.kata) }.max() ?? 0
        var lines: [String] = []
        for kata in record.katas {
            let mark = watch.style.mark(kata.outcome)
            lines.append("\(mark) \(style.bold(kata.kata.padded(toCells: width)))  \(watch.reports(kata.outcome))")
            let facts = [
                watch.reports(.points, .integer(kata.points), .integer(kata.maxPoints)),
                ClockText.elapsed(kata.seconds),
                strings(.saves, .integer(kata.saves)), strings(.hintsTaken, .integer(kata.hints)),
            ]
            lines.append("  " + style.dim(line(of: facts)))
        }
        lines += [
            "",
            strings(
                .worked, .text(ClockText.elapsed(record.secondsWorked)), .text(ClockText.elapsed(record.plan.seconds))),
        ]
        if !model.ungraded.isEmpty {
            lines.append(strings(.ungraded, .integer(model.ungraded.count), .text(resumeCommand)))
        }
        lines += [strings(.keptIn, .text(watch.typed(folder.url))), strings(.howReport, .text(reportCommand))]
        return lines
    }

    /// What is left on the terminal when the screen is gone.
    func goodbye(_ model: InterviewModel) -> [String] {
        if model.phase == .ready {
            let isKept = FileManager.default.fileExists(atPath: folder.url.path)
            return [strings(.notBegun)] + (isKept ? [strings(.keptIn, .text(watch.typed(folder.url)))] : [])
        }
        guard case .closed(let end) = model.phase else {
            return [strings(.stillOpen, .text(ClockText.left(model.time.left)), .text(resumeCommand))]
        }
        return [style.bold(title(end)), ""] + summary(model)
    }

    private func title(_ end: InterviewRecord.End) -> String {
        strings(end == .timeUp ? .timeUp : .finished)
    }

    private var watchCommand: String { watch.commandLine(.interviewWatch, [watch.typed(folder.url)]) }

    private var reportCommand: String { watch.commandLine(.interviewReport, [watch.typed(folder.url)]) }

    var resumeCommand: String {
        watch.commandLine(.interview, [Option.resume.name, watch.typed(folder.url)])
    }

    // MARK: - Pieces

    /// The time, the place among the katas, and the hints.
    private func status(_ model: InterviewModel) -> String {
        let time = ClockText.left(model.time.left)
        let isLate = model.time.left <= Self.lastMinutes
        var facts = [
            isLate
                ? style.yellow(style.bold("! " + strings(.lastMinutes, .text(time)))) : strings(.timeLeft, .text(time))
        ]
        if model.phase == .paused { facts[0] += style.separator + style.bold(strings(.paused)) }
        facts.append(strings(.position, .integer(model.watch.current + 1), .integer(model.plan.katas.count)))
        if let left = model.hintsLeft {
            facts.append(strings(.hintsLeft, .integer(left)))
        } else {
            facts.append(strings(.hintsTaken, .integer(model.hintsTaken)))
        }
        return line(of: facts)
    }

    /// Facts side by side: a line breaks between two of them, and not within one.
    private func line(of facts: [String]) -> String {
        facts.map { $0.replacing(" ", with: "\u{A0}") }.joined(separator: style.separator)
    }

    private func notice(_ model: InterviewModel) -> [String] {
        let text: String? =
            switch model.notice {
            case .savedWhilePaused: strings(.savedWhilePaused)
            case .noHintsLeft: strings(.noHintsLeft)
            case .noPause: strings(.noPause)
            case .noPauseLeft: strings(.noPauseLeft)
            case .onlyKata: strings(.onlyKata)
            case .noteKept: strings(.noteKept)
            case .slept(let seconds): strings(.slept, .text(ClockText.elapsed(seconds)))
            case .away(let seconds): strings(.away, .text(ClockText.elapsed(seconds)))
            case nil where model.missing.contains(model.watch.kata.kata):
                strings(.fileMissing, .text(watch.typed(folder.exercises.learnerFile(model.watch.kata.kata))))
            case nil: nil
            }
        return text.map { [style.yellow($0)] } ?? watch.notice(model.watch)
    }

    private func keys(_ model: InterviewModel) -> String {
        let pause: [(String, InterviewKey)] = model.pauseLeft == 0 ? [] : [("p", .keyPause)]
        return [
            line([("n", .keyNext)]), watch.keys([("h", .keyHint)]),
            line([("a", .keyNote)] + pause + [("f", .keyFinish)]),
            watch.keys([("l", .keyList), ("b", .keyBrief), ("g", .keyLanguage), ("q", .keyQuit)]),
        ].joined(separator: "  ")
    }

    private var quitKey: String { watch.keys([("q", .keyQuit)]) }

    private func line(_ entries: [(key: String, meaning: InterviewKey)]) -> String {
        watch.line(entries.map { ($0.key, strings($0.meaning)) })
    }
}
