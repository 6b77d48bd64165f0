import Reports
import Workbook

/// `grader hint`: the next hint for the mistake that comes first.
struct HintCommand: Sendable {
    let context: CommandContext

    /// What is known of a kata when a hint is asked for.
    private struct Standing {
        var outcome: Verdict.Outcome
        /// The failures that no other one explains, the most important first.
        var failures: [KataTest]
        /// `nil` where the file could not be graded, and only what was remembered is known.
        var verdict: Verdict?

        var errors: [Diagnostic] { verdict?.diagnostics.filter { $0.severity == .error } ?? [] }
    }

    func run() async throws -> ExitCode {
        let session = try WorkbookSession(context)
        let named = try context.request.operands.first.map { try session.kata(named: $0) }
        guard let kata = named ?? session.currentKata ?? session.katas.last else { return .passed }
        let texts = try session.texts(of: kata)
        let standing: Standing
        do {
            let verdict = try await session.grade(kata)
            standing = Standing(
                outcome: verdict.outcome, failures: verdict.rootFailures(in: kata), verdict: verdict)
        } catch {
            context.console.say(error.message)
            let last = session.progress.katas[kata.kata]?.last
            let failing = last?.failing ?? kata.tests.map(\.id)
            standing = Standing(
                outcome: last?.outcome ?? .notStarted, failures: kata.rootFailures(failing: Set(failing)))
        }
        // Where no test ran, what stands in the way is the next thing to know: a hint would be used up for nothing.
        let isStopped = standing.verdict.map { [.didNotCompile, .rejected].contains($0.outcome) } ?? false
        guard standing.outcome != .mastered, !isStopped, let test = standing.failures.first else {
            try print(session, kata, standing, nil, level: 0, texts)
            return standing.verdict == nil ? .trouble : .passed
        }
        // Counted in the file itself, so that two terminals get two levels.
        var level = 1
        let mistake = test.mistake(in: standing.verdict)
        session.update { level = $0.katas[kata.kata, default: KataProgress()].showNextHint(of: mistake) }
        try print(session, kata, standing, test, level: level, texts)
        return session.couldRemember ? .passed : .trouble
    }

    private func print(
        _ session: WorkbookSession, _ kata: Kata, _ standing: Standing, _ test: KataTest?, level: Int,
        _ texts: KataTexts
    ) throws {
        let title = test.map { texts.title(of: $0) }
        let result = standing.verdict?.tests.first { $0.id == test?.id }
        if context.request.json {
            let general = context.strings.reports
            let hints = test.map { test in
                (0..<level).map { texts.hint($0 + 1, for: test, in: standing.verdict, general: general) }
            }
            let report = HintReport(
                language: context.language, kata: kata.kata, outcome: standing.outcome, test: test?.id, title: title,
                level: level, hints: hints ?? [], result: result, diagnostics: standing.errors,
                strings: general)
            context.console.printVerbatim(JSONText.of(report))
            return
        }
        let strings = context.strings.reports
        var text = CheckText(
            strings: strings, style: context.style, hintStep: .command(context.commandLine(.hint, kata.kata)))
        guard let test, let title else {
            if let error = standing.errors.first {
                let check = context.commandLine(.check, kata.kata)
                context.console.print(
                    [text.line(error)] + text.compileHint(standing.errors)
                        + ["", context.strings(.listHow, .text(check))])
            } else if standing.verdict != nil {
                context.console.print(strings(.hintNone, .text(kata.kata)))
            }
            return
        }
        text.solved = session.solved(try session.rules())
        var lines = [[context.style.bold(kata.kata), title].joined(separator: context.style.separator), ""]
        if let result, result.unwritten != nil || result.stillRunning != nil, !result.messages.isEmpty {
            lines += result.messages.map { strings($0) } + [""]
        }
        lines += text.hints(of: test, in: standing.verdict, texts: texts, shown: level)
        let isLast = level == KataTest.hintLevels
        let next = context.commandLine(isLast ? .solution : .hint, kata.kata)
        lines.append(strings(isLast ? .hintLast : .hintMore, .text(next)))
        context.console.print(lines)
    }
}
