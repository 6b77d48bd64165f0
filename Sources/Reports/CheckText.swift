import Foundation
import Workbook

/// A verdict as a learner reads it in a terminal: what happened, where, and what to type next.
public struct CheckText: Sendable {
    public var strings: ReportStrings
    public var style: TextStyle
    /// How the learner asks for the next hint.
    public var hintStep: HintStep
    public var scheduleStep: ScheduleStep?
    /// The rules that the learner has met, by name.
    public var solved: [String: SolvedRule] = [:]
    /// A test's printed output is shown up to here; a verdict may hold more.
    public static let outputLines = 20

    /// What a learner does for the next hint: types a command, or presses a key of the watch screen.
    public enum HintStep: Sendable, Equatable {
        /// `swift run grader hint FirstValue`.
        case command(String)
        case key(String)
        /// A session allows no further one.
        case noneLeft
    }

    public init(strings: ReportStrings, style: TextStyle, hintStep: HintStep, scheduleStep: ScheduleStep? = nil) {
        self.strings = strings
        self.style = style
        self.hintStep = hintStep
        self.scheduleStep = scheduleStep
    }

    /// The whole of one kata's verdict.
    ///
    /// - Parameters:
    ///   - path: the learner's file as they would type it.
    ///   - modelAnswer: where a passed kata's model answer is, if that is to be told.
    ///   - source: what the file held when it was graded: errors are shown with their lines.
    ///   - next: what to do once the kata is passed: it stands before what is left.
    ///   - unused: Swift files beside the learner's, which are not graded.
    ///   - openHint: the test whose newest hint stands below the head of the verdict, and whose earlier ones stand at its end.
    public func lines(
        _ localized: LocalizedVerdict, path: String, modelAnswer: String?, source: String? = nil,
        next: [String] = [], unused: [String] = [], openHint: KataTest? = nil
    ) -> [String] {
        let verdict = localized.verdict
        let sourceLines =
            verdict.diagnostics.isEmpty
            ? [] : (source ?? "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var lines = [heading(localized)]
        let hasFailures = verdict.outcome == .failed || verdict.outcome == .passed
        // A small screen has room for a hint and the failure that it is for.
        if hasFailures, openHint == nil { lines += counts(localized) }
        if let openHint {
            lines += [""] + newestHint(of: openHint, localized) + (hasFailures && unused.isEmpty ? [] : [""])
        }
        lines += verdict.diagnostics.flatMap { [line($0)] + excerpt($0, of: sourceLines) }
        if !unused.isEmpty {
            lines.append(style.yellow(strings(.unusedFiles, .text("\(verdict.kata).swift"), .list(unused))))
        }
        switch verdict.outcome {
        case .notStarted:
            lines.append(strings(.startHere, .text(path)))
        case .didNotCompile:
            if let first = verdict.diagnostics.first(where: { $0.severity == .error && $0.line > 0 }) {
                lines.append(strings(.firstError, .integer(first.line)))
            }
            lines += compileHint(verdict.diagnostics)
        case .rejected:
            break
        case .failed:
            lines += failures(localized)
        case .passed:
            let done = [localized.texts.achieved, localized.texts.mastering] + next + themes(localized)
            // A hint is read beside the failure that it is for.
            lines += openHint == nil ? done + failures(localized) : failures(localized) + done
        case .mastered:
            lines += [localized.texts.achieved] + next
        }
        if let nextHint = nextHint(localized, openHint) { lines.append(nextHint) }
        if let openHint { lines += earlierHints(of: openHint, localized) }
        if let modelAnswer, verdict.isPassed { lines.append(strings(.modelAnswer, .text(modelAnswer))) }
        return lines
    }

    /// `FirstValue · failed · 3 of 9 core tests pass. …`, on one line.
    public func heading(_ localized: LocalizedVerdict) -> String {
        let verdict = localized.verdict
        let state = strings(verdict.outcome)
        var facts = [style.bold(verdict.kata)]
        switch verdict.outcome {
        case .mastered, .passed: facts.append(style.green(state))
        case .notStarted: facts.append(style.dim(state))
        case .failed, .didNotCompile, .rejected: facts.append(style.red(state))
        }
        if verdict.outcome != .notStarted {
            facts.append(strings(.points, .integer(verdict.points), .integer(verdict.maxPoints)))
            // A verdict that was remembered took no time to speak of.
            if verdict.seconds >= 0.05 { facts.append(strings.numbers.seconds(verdict.seconds)) }
        }
        return facts.joined(separator: style.separator)
    }

    /// A place in the learner's file, in the form that editors link.
    public func line(_ diagnostic: Diagnostic) -> String {
        let severity =
            switch diagnostic.severity {
            case .error: style.red("error:")
            case .warning: style.yellow("warning:")
            case .note: style.dim("note:")
            }
        var place = diagnostic.file
        if diagnostic.line > 0 { place += ":\(diagnostic.line):\(max(diagnostic.column, 1))" }
        let text = TextStyle.harmless(strings(diagnostic.message))
        // What is about the file as a whole names it.
        if diagnostic.line == 0, text.contains(TextStyle.harmless(place)) { place = "" }
        return (place.isEmpty ? "" : TextStyle.harmless(place) + ": ") + severity + " " + text
    }

    /// The line of the source that a message is about, with a mark under the place.
    private func excerpt(_ diagnostic: Diagnostic, of source: [Substring]) -> [String] {
        guard diagnostic.severity != .note, source.indices.contains(diagnostic.line - 1) else { return [] }
        // The compiler counts bytes, and a tab as one of them.
        let text = source[diagnostic.line - 1]
        let before = String(decoding: text.utf8.prefix(max(0, diagnostic.column - 1)), as: UTF8.self)
        func shown(_ text: some StringProtocol) -> String {
            TextStyle.harmless(text.replacingOccurrences(of: "\t", with: "    "))
        }
        let number = "  \(diagnostic.line) "
        let gutter = (style.isUnicode ? "│" : "|") + " "
        let room = max(8, style.columns - CellWidth.of(number + gutter))
        // Of a long line that part is shown that the mark is under.
        var (line, place) = (shown(text), CellWidth.of(shown(before)))
        while place >= room, let first = line.first {
            line.removeFirst()
            place -= CellWidth.of(first)
        }
        let empty = String(repeating: " ", count: CellWidth.of(number))
        return [
            style.dim(number + gutter) + line.truncated(toCells: room, mark: style.ellipsis),
            style.dim(empty + gutter) + String(repeating: " ", count: place) + style.yellow("^"),
        ]
    }

    /// What to do about the first error, where more can be said than the compiler says.
    public func compileHint(_ diagnostics: [Diagnostic]) -> [String] {
        guard let first = diagnostics.first(where: { $0.severity == .error }),
            let key = CompileMistake(first).map(ReportKey.init)
        else { return [] }
        return [strings(key)]
    }

    /// What to do for the next hint, where there is one.
    private func nextHint(_ localized: LocalizedVerdict, _ openHint: KataTest?) -> String? {
        let verdict = localized.verdict
        guard verdict.outcome == .failed || verdict.outcome == .passed,
            let test = verdict.rootFailures(in: localized.kata).first
        else { return nil }
        switch hintStep {
        case .command(let command): return strings(.nextHint, .text(command))
        case .key where openHint?.id == test.id && localized.hintLevel(of: test) == KataTest.hintLevels:
            return strings(.hintLastOfTest)
        case .key(let key): return strings(.nextHintKey, .text(key))
        case .noneLeft: return nil
        }
    }

    // MARK: - Hints

    private func newestHint(of test: KataTest, _ localized: LocalizedVerdict) -> [String] {
        let level = localized.hintLevel(of: test)
        return [hintHeading(level, of: test, localized.texts)]
            + hint(level, of: test, in: localized.verdict, localized.texts)
    }

    private func earlierHints(of test: KataTest, _ localized: LocalizedVerdict) -> [String] {
        (1..<localized.hintLevel(of: test)).reversed().flatMap { level in
            ["", hintHeading(level, of: test, localized.texts)]
                + hint(level, of: test, in: localized.verdict, localized.texts).map(style.dim)
        }
    }

    private func hintHeading(_ level: Int, of test: KataTest, _ texts: KataTexts) -> String {
        style.bold(strings(.hintHeading, .integer(level), .integer(KataTest.hintLevels))) + style.separator
            + texts.title(of: test)
    }

    /// What the learner has solved elsewhere is the first thing to remember.
    private func hint(_ level: Int, of test: KataTest, in verdict: Verdict?, _ texts: KataTexts) -> [String] {
        let hint = BriefText.lines(of: texts.hint(level, for: test, in: verdict, general: strings), style: style)
        guard level == 1, let rule = test.rule, let solved = solved[rule], solved.kata != verdict?.kata else {
            return hint
        }
        let reminder = strings(.ruleSolved, .text(solved.title), .text(solved.kata), .text(solved.file))
        return [reminder] + solved.code.map { "    " + style.dim(TextStyle.harmless($0)) } + hint
    }

    /// The hints of a test up to a level, each under its heading; those that were read before step back.
    public func hints(
        of test: KataTest, in verdict: Verdict?, texts: KataTexts, shown: Int, dimsEarlier: Bool = true
    ) -> [String] {
        (1...max(1, min(shown, KataTest.hintLevels))).flatMap { level in
            [style.bold(strings(.hintHeading, .integer(level), .integer(KataTest.hintLevels)))]
                + hint(level, of: test, in: verdict, texts).map {
                    level < shown && dimsEarlier ? style.dim($0) : $0
                } + [""]
        }
    }

    // MARK: - Tests

    private func failures(_ localized: LocalizedVerdict) -> [String] {
        let verdict = localized.verdict
        let shown = verdict.nextFailures(in: localized.kata)
        let results = Dictionary(verdict.tests.map { ($0.id, $0) }) { first, _ in first }
        var lines: [String] = []
        for test in shown {
            let result = results[test.id] ?? TestVerdict(id: test.id, outcome: .notRun, points: 0)
            lines.append("")
            lines += failure(test, result, title: localized.texts.title(of: test))
        }
        let failing = localized.kata.tests.filter { results[$0.id]?.outcome != .passed }
        let theme = verdict.outcome == .passed ? shown.first?.theme : nil
        let inTheme = failing.filter { theme == nil || $0.theme == theme }
        let explained = inTheme.filter { !shown.map(\.id).contains($0.id) }
        if !explained.isEmpty {
            lines += ["", strings(.dependents, .integer(explained.count))]
            lines += titles(of: explained, localized.texts)
        }
        if failing.count > inTheme.count {
            lines += ["", strings(.otherThemes, .integer(failing.count - inTheme.count))]
        }
        return lines + [""]
    }

    /// Which tests they are says what a failure stands in the way of.
    private func titles(of tests: [KataTest], _ texts: KataTexts) -> [String] {
        let most = 5
        return tests.prefix(most).map { "    " + style.dim(style.open + " " + texts.title(of: $0)) }
            + (tests.count > most ? ["    " + style.dim(style.ellipsis)] : [])
    }

    private func counts(_ localized: LocalizedVerdict) -> [String] {
        let passed = Set(localized.verdict.tests.filter { $0.outcome == .passed }.map(\.id))
        return [(KataTest.Tier.core, ReportKey.corePass), (.robust, .robustPass)].compactMap { tier, key in
            let tests = localized.kata.tests.filter { $0.tier == tier }
            guard !tests.isEmpty else { return nil }
            return strings(key, .integer(tests.count { passed.contains($0.id) }), .integer(tests.count))
        }
    }

    /// `✓ errors 8/8 · ○ demand 0/7`: one step after the other leads to a mastered kata.
    public func themes(_ localized: LocalizedVerdict) -> [String] {
        let themes = localized.verdict.themes(in: localized.kata)
        guard !themes.isEmpty else { return [] }
        let facts = themes.map { theme in
            let mark = theme.isComplete ? style.good : style.open
            return mark + "\u{A0}"
                + (strings(ReportKey(theme.theme)) + " \(theme.passed)/\(theme.tests)").replacing(" ", with: "\u{A0}")
        }
        return [facts.joined(separator: style.separator)]
    }

    /// One failing test: its title, then what it says beneath, set in.
    public func failure(_ test: KataTest, _ result: TestVerdict, title: String) -> [String] {
        let mark = result.outcome == .notRun ? style.open : style.bad
        let facts = [style.bold(title), strings(ReportKey(test.tier)), strings(result.outcome)]
        var lines = [mark + " " + facts.joined(separator: style.separator)]
        for message in result.messages {
            lines += say(message).map { "    " + $0 }
        }
        lines += threads(result).map { "    " + $0 }
        if let marbles = result.marbles { lines += draw(marbles).map { "    " + $0 } }
        lines += output(result).map { "    " + $0 }
        return lines
    }

    private func say(_ message: LocalizableMessage) -> [String] {
        guard message.key == .mismatch, message.arguments.count == 2 else {
            return TextStyle.harmless(strings(message)).split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init)
        }
        // Two values are compared by eye where they stand beneath each other.
        return labelled([
            (strings(.labelExpected), message.arguments[0]), (strings(.labelActual), message.arguments[1]),
        ])
    }

    private func labelled(_ values: [(label: String, text: String)]) -> [String] {
        let width = values.map { CellWidth.of($0.label) }.max() ?? 0
        return values.flatMap { label, text in
            let lines = TextStyle.harmless(text).split(separator: "\n", omittingEmptySubsequences: false)
            return lines.enumerated().map { index, line in
                style.dim((index == 0 ? label : "").padded(toCells: width)) + "  " + line
            }
        }
    }

    /// What the test sent and the two histories under each other, and what differs first.
    public func draw(_ marbles: Marbles) -> [String] {
        let hasInput = marbles.input?.isEmpty == false
        let labels = [hasInput ? strings(.labelInput) : nil, strings(.labelExpected), strings(.labelActual)]
            .compactMap(\.self)
        let width = labels.map { CellWidth.of($0) }.max() ?? 0
        let drawing = MarbleDrawing(marbles, columns: style.columns - width - 8, style: style)
        let rows = [drawing.input, drawing.expected, drawing.actual].compactMap(\.self)
        var lines = labelled(zip(labels, rows).map { (label: $0, text: $1) })
        if let difference = drawing.difference {
            let place = width + 2 + difference.column
            let time = strings.numbers.moment(milliseconds: difference.milliseconds)
            lines += mark(strings(.differsAt, .text(time)), at: place)
        }
        return lines
    }

    /// A mark under one cell and what it means: behind it, or before it where only there is room, or else beneath.
    private func mark(_ text: String, at place: Int) -> [String] {
        let indent = String(repeating: " ", count: place)
        let cells = CellWidth.of(text)
        if place + 2 + cells <= style.columns - 4 { return [indent + style.yellow("^") + " " + text] }
        if cells < place { return [indent.dropLast(cells + 1) + text + " " + style.yellow("^")] }
        return [indent + style.yellow("^"), text]
    }

    private func output(_ result: TestVerdict) -> [String] {
        guard !result.output.isEmpty else { return [] }
        var printed = TextStyle.harmless(result.output).split(separator: "\n", omittingEmptySubsequences: false)
        if printed.last?.isEmpty == true { printed.removeLast() }
        var lines = [strings(.outputCaption)]
        // Of much output the beginning is of use, and the end, which came just before the failure.
        let first = printed.prefix(printed.count > Self.outputLines ? Self.outputLines / 2 : Self.outputLines)
        let last = printed.dropFirst(first.count).suffix(Self.outputLines - first.count)
        let hidden = printed.dropFirst(first.count).dropLast(last.count).reduce(0) { $0 + $1.utf8.count + 1 }
        lines += first.map { style.quote + " " + $0 }
        if hidden + result.outputCut > 0 { lines.append(strings(.outputCut, .integer(hidden + result.outputCut))) }
        lines += last.map { style.quote + " " + $0 }
        return lines
    }
}
