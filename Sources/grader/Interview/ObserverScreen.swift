import Foundation
import Reports
import Workbook

/// Draws what the observer of a session sees: the clock, then the code, the verdict, the moments or the questions.
struct ObserverScreen: Sendable {
    var strings: InterviewStrings
    var watch: WatchStrings
    var reports: ReportStrings
    var scorecard: ScorecardStrings
    var style: TextStyle
    /// The katas' own words, by kata.
    var texts: [String: KataTexts]

    func lines(_ model: ObserverModel) -> [String] {
        let parts = parts(model)
        return parts.lines(model.size, scroll: scroll(model, parts), style: style, more: more)
    }

    func lastScroll(_ model: ObserverModel) -> Int {
        parts(model).lastScroll(model.size, style: style, more: more)
    }

    private func more(_ lines: Int) -> String { watch(.moreBelow, .integer(lines)) }

    /// The question under the cursor is in sight.
    private func scroll(_ model: ObserverModel, _ parts: ScreenParts) -> Int {
        guard [.rubric, .scorecard].contains(model.view),
            let place = parts.body.firstIndex(where: { $0.hasPrefix("> ") })
        else {
            return model.scroll
        }
        return max(0, ScreenParts.wrapped(Array(parts.body[..<place]), model.size.columns, style).count - 3)
    }

    private func parts(_ model: ObserverModel) -> ScreenParts {
        guard let record = model.record else {
            return ScreenParts(
                head: [style.bold(strings(.observerNotBegun)), ""], body: [strings(.observerReadOnly)],
                foot: ["", line([("q", watch(.keyQuit))])])
        }
        var parts = ScreenParts()
        parts.head = [status(model, record)] + heading(model) + [""]
        switch model.view {
        case .code: parts.body = code(model)
        case .verdict: parts.body = verdict(model)
        case .moments: parts.body = moments(record)
        case .rubric: parts.body = rubric(model)
        case .scorecard: parts.body = scorecard(model)
        }
        parts.foot = foot(model)
        return parts
    }

    // MARK: - Above

    private func status(_ model: ObserverModel, _ record: InterviewRecord) -> String {
        let left = ClockText.left(record.plan.seconds - model.at)
        var facts: [String]
        switch record.end {
        case .finished: facts = [style.bold(strings(.finished))]
        case .timeUp: facts = [style.bold(strings(.timeUp))]
        case nil: facts = [strings(.timeLeft, .text(left))]
        }
        if record.end == nil, record.pausedSince != nil { facts.append(style.bold(strings(.paused))) }
        if record.end == nil, !model.isRunning { facts.append(style.yellow(strings(.observerNotRunning))) }
        facts.append(TextStyle.harmless(record.plan.candidate))
        let place = record.plan.katas.firstIndex { $0.kata == model.kata?.kata } ?? 0
        facts.append(strings(.position, .integer(place + 1), .integer(record.plan.katas.count)))
        facts += [
            strings(.saves, .integer(record.saves.count)), strings(.hintsTaken, .integer(record.hints.count)),
        ]
        return facts.map { $0.replacing(" ", with: "\u{A0}") }.joined(separator: style.separator)
    }

    private func heading(_ model: ObserverModel) -> [String] {
        let view =
            switch model.view {
            case .code: strings(.observerCode)
            case .verdict: strings(.observerVerdict)
            case .moments: strings(.observerNotes)
            case .rubric: strings(.observerRubric)
            case .scorecard: scorecard(.title)
            }
        var facts = [style.bold(model.kata?.kata ?? ""), view]
        if let graded = model.graded, let verdict = graded.verdict {
            facts.append(told(graded) + " " + colored(verdict.outcome))
            facts.append(reports(.points, .integer(verdict.points), .integer(verdict.maxPoints)))
        }
        return [facts.joined(separator: style.separator)]
    }

    private func colored(_ outcome: Verdict.Outcome) -> String {
        outcome.isPassed ? style.green(reports(outcome)) : style.red(reports(outcome))
    }

    private func told(_ save: InterviewRecord.Save) -> String {
        strings(.observerSave, .integer(save.number)) + " (" + ClockText.elapsed(save.moment.at) + ")"
    }

    // MARK: - What is looked at

    private func code(_ model: ObserverModel) -> [String] {
        let lines = model.code
        let width = "\(lines.count)".count
        return lines.enumerated().map { index, line in
            let number = String(repeating: " ", count: width - "\(index + 1)".count) + "\(index + 1)"
            let text = TextStyle.harmless(String(line.text).replacing("\t", with: "    "))
            return style.dim(number) + (line.isNew ? style.green(" + " + text) : "   " + text)
        }
    }

    private func verdict(_ model: ObserverModel) -> [String] {
        guard let verdict = model.graded?.verdict, let kata = model.kata else { return [reports(.notStarted)] }
        let outcomes = Dictionary(verdict.tests.map { ($0.id, $0) }) { first, _ in first }
        let diagnostics = verdict.diagnostics.map { TextStyle.harmless("\($0.line): " + reports($0.message)) }
        return diagnostics
            + kata.tests.flatMap { test -> [String] in
                let outcome = outcomes[test.id]?.outcome ?? .notRun
                let mark = outcome == .passed ? style.good : outcome == .notRun ? style.open : style.bad
                let title = texts[kata.kata]?.title(of: test) ?? test.id
                let said = outcome == .passed ? [] : outcomes[test.id]?.messages ?? []
                return ["\(mark) \(title)"] + said.map { "    " + style.dim(TextStyle.harmless(reports($0))) }
            }
    }

    /// What happened, the newest first.
    private func moments(_ record: InterviewRecord) -> [String] {
        var told: [(moment: InterviewMoment, text: String)] = record.saves.map { save in
            let outcome = save.verdict.map { " " + colored($0.outcome) } ?? ""
            let marks = [
                save.burst.map { _ in InterviewKey.observerBurst }, save.stopped.map { _ in .observerStopped },
            ]
            let marked = marks.compactMap(\.self).map { style.separator + style.yellow(strings($0)) }.joined()
            return (
                save.moment,
                save.kata + style.separator + strings(.observerSave, .integer(save.number)) + outcome + marked
            )
        }
        told += record.openings.map { ($0.moment, $0.kata + style.separator + strings(.observerOpened)) }
        told += record.gaps.map { gap in
            let cause = strings(Self.key(gap.cause)) + style.separator + ClockText.elapsed(gap.seconds)
            return (gap.moment, style.yellow(cause))
        }
        told += [record.pausedSince].compactMap { $0.map { ($0, style.yellow(strings(.paused))) } }
        told += (record.journalLost ?? []).map { ($0, style.yellow(strings(.observerJournalLost))) }
        told += record.hints.map { hint in
            let kata = record.plan.katas.first { $0.kata == hint.kata }
            let title =
                kata?.tests.first { $0.id == hint.test }.flatMap { texts[hint.kata]?.title(of: $0) } ?? hint.test
            return (hint.moment, strings(.observerHint, .integer(hint.level)) + style.separator + title)
        }
        told += record.notes.map { ($0.moment, strings(.note) + " " + TextStyle.harmless($0.text)) }
        told += (record.privateNotes ?? []).map {
            ($0.moment, style.bold(strings(.observerPrivateNote)) + style.separator + TextStyle.harmless($0.text))
        }
        let places = told.enumerated().sorted {
            ($0.element.moment.time, $0.offset) > ($1.element.moment.time, $1.offset)
        }
        return places.map { ClockText.elapsed($0.element.moment.at) + "  " + $0.element.text }
    }

    private static func key(_ cause: InterviewRecord.Gap.Cause) -> InterviewKey {
        switch cause {
        case .paused: .paused
        case .asleep: .observerAsleep
        case .away: .observerAway
        }
    }

    private func rubric(_ model: ObserverModel) -> [String] {
        if model.questions.isEmpty { return [strings(.observerNoQuestions)] }
        var lines: [String] = []
        for (index, question) in model.questions.enumerated() {
            if question.number == 1 { lines += (index == 0 ? [] : [""]) + [style.bold(question.kata)] }
            let judgement = model.judgement(of: question)
            let mark = judgement?.mark.map { "\($0)" } ?? (style.isUnicode ? "–" : "-")
            lines.append((index == model.cursor ? "> " : "  ") + "[\(mark)] \(question.text)")
            if index == model.cursor { lines += question.points.map { "      " + style.dim("· " + $0) } }
            if let sentence = judgement?.sentence, !sentence.isEmpty {
                lines.append("      " + style.dim(TextStyle.harmless(sentence)))
            }
        }
        return lines
    }

    /// Beside the thing under the cursor stands what its marks mean.
    private func scorecard(_ model: ObserverModel) -> [String] {
        InterviewScore.Item.allCases.flatMap { item in
            let score = model.score(of: item)
            let mark = score?.mark.map { scorecard.shown($0, of: item) } ?? (style.isUnicode ? "–" : "-")
            var lines = [(item == model.item ? "> " : "  ") + "[\(mark)] \(scorecard.name(of: item))"]
            if item == model.item {
                for mark in item.marks {
                    guard let meaning = scorecard.meaning(of: mark, item) else { continue }
                    lines.append("      " + style.dim(scorecard(.anchor, .integer(mark), .text(meaning))))
                }
            }
            if let sentence = score?.sentence, !sentence.isEmpty {
                lines.append("      " + style.dim(TextStyle.harmless(sentence)))
            }
            return lines
        }
    }

    // MARK: - Below

    private func foot(_ model: ObserverModel) -> [String] {
        if let typed = model.line {
            let label: InterviewKey = typed.kind == .note ? .observerPrivateNote : .keySentence
            let shown = style.bold(strings(label) + ":") + " "
            let cells = max(1, model.size.columns - TextWrap.visibleWidth(shown) - 2)
            return [
                "", shown + TextStyle.harmless(typed.text.tail(cells: cells)) + (style.isUnicode ? "▏" : "_"),
                line([("⏎", strings(.keyKeep)), ("Esc", strings(.keyCancel))]),
            ]
        }
        let about = model.notice.map(style.yellow) ?? style.dim(strings(.observerReadOnly))
        let keys: [(String, String)]
        switch model.view {
        case .rubric, .scorecard:
            let isRubric = model.view == .rubric
            let last = isRubric ? InterviewRecord.Judgement.marks.upperBound : model.item.marks.upperBound
            keys = [
                ("↑↓", watch(.keyMove)), ("1–\(last)", strings(.keyMark)), ("⏎", strings(.keySentence)),
                (isRubric ? "r" : "s", watch(.keyBack)),
            ]
        case .code, .verdict, .moments:
            keys = [
                ("v", strings(.keyView)), ("a", strings(.keyPrivateNote)), ("r", strings(.keyRubric)),
                ("s", strings(.keyScorecard)), ("↑↓", watch(.keyMove)),
            ]
        }
        return ["", about, line(keys + [("q", watch(.keyQuit))])]
    }

    /// Keys, each with what it does, none broken where the line is.
    private func line(_ entries: [(key: String, meaning: String)]) -> String {
        entries.map { key, meaning in
            let plain = ["⏎": "Enter", "↑↓": "j/k", "1–4": "1-4", "1–5": "1-5"]
            return style.bold(style.isUnicode ? key : plain[key] ?? key) + "\u{A0}"
                + meaning.replacing(" ", with: "\u{A0}")
        }.joined(separator: "  ")
    }
}
