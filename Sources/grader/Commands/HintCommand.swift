import Grading
import Reports
import Workbook

/// `grader hint`: the next hint for the mistake that comes first.
struct HintCommand: Sendable {
    let context: CommandContext

    private var text: CheckText {
        CheckText(strings: context.strings.reports, style: context.style, hintStep: .command(program: context.program))
    }

    func run() async throws -> ExitCode {
        let katas = try context.katas()
        let named = try context.request.operands.first.map { try context.kata($0, among: katas) }
        guard let kata = named ?? context.currentKata(among: katas) ?? katas.last else { return .passed }
        let texts = try context.texts(of: kata)
        let (verdict, trouble) = try await verdict(of: kata)
        guard verdict.outcome != .mastered, let test = verdict.rootFailures(in: kata).first else {
            return tell(kata, verdict, nil, level: 0, texts)
        }
        // Under the store's lock: two terminals get two levels.
        var level = min((context.progress.katas[kata.kata]?.hintsShown[test.id] ?? 0) + 1, KataTexts.hintLevels)
        let remembered = context.remember { progress in
            level = min((progress.katas[kata.kata]?.hintsShown[test.id] ?? 0) + 1, KataTexts.hintLevels)
            progress.katas[kata.kata, default: KataProgress()].hintsShown[test.id] = level
        }
        if let trouble { context.console.say(trouble) }
        if !context.request.json, let first = verdict.diagnostics.first(where: { $0.severity == .error }) {
            context.console.print(text.line(first), "")
        }
        _ = tell(kata, verdict, test, level: level, texts)
        return remembered ? .passed : .trouble
    }

    /// What the file is worth now; what was last remembered of it where that cannot be found out, and why.
    private func verdict(of kata: Kata) async throws -> (Verdict, trouble: String?) {
        do {
            let grader = try context.grader(seed: context.progress.seed ?? 1)
            return (try await grader.grade(try context.submission(kata)), nil)
        } catch {
            let failing = context.progress.katas[kata.kata]?.last?.failing ?? kata.tests.map(\.id)
            let outcome = context.progress.katas[kata.kata]?.last?.outcome ?? .notStarted
            let tests = kata.tests.map {
                TestVerdict(id: $0.id, outcome: failing.contains($0.id) ? .failed : .passed, points: 0)
            }
            let remembered = Verdict(
                kata: kata.kata, outcome: outcome, points: 0, maxPoints: kata.maxPoints, seconds: 0, diagnostics: [],
                tests: tests)
            let sentence =
                switch error {
                case let error as GradingError: context.strings.reports(error.message)
                case let stop as CommandError: stop.message
                default: "\(error)"
                }
            return (remembered, sentence)
        }
    }

    private func tell(
        _ kata: Kata, _ verdict: Verdict, _ test: KataTest?, level: Int, _ texts: KataTexts
    ) -> ExitCode {
        let hints =
            test.map { test in level > 0 ? (1...level).map { texts.hint($0, for: test, in: verdict) } : [] } ?? []
        let title = test.map { texts.title(of: $0) }
        if context.request.json {
            let report = HintReport(
                language: context.language, kata: kata.kata, outcome: verdict.outcome, test: test?.id, title: title,
                level: level,
                hints: hints)
            context.console.printVerbatim(JSONText.of(report))
            return .passed
        }
        let strings = context.strings.reports
        guard let title else {
            context.console.print(strings(.hintNone, .text(kata.kata)))
            return .passed
        }
        var lines = [[context.style.bold(kata.kata), title].joined(separator: context.style.separator), ""]
        if let test { lines += text.hints(of: test, in: verdict, texts: texts, shown: level) }
        let isLast = level == KataTexts.hintLevels
        let next = "\(context.program) \(isLast ? "solution" : "hint") \(kata.kata)"
        lines.append(strings(isLast ? .hintLast : .hintMore, .text(next)))
        context.console.print(lines)
        return .passed
    }
}
