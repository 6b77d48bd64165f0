import Grading
import Reports
import Workbook

/// `grader hint`: the next hint for the mistake that comes first.
struct HintCommand: Sendable {
    let seat: Seat

    private var text: CheckText {
        CheckText(words: seat.words.reports, style: seat.style, hintStep: .command(program: seat.program))
    }

    func run() async throws -> ExitCode {
        let katas = try seat.katas()
        let named = try seat.request.operands.first.map { try seat.kata($0, among: katas) }
        guard let kata = named ?? seat.currentKata(among: katas) ?? katas.last else { return .passed }
        let texts = try seat.texts(of: kata)
        let (verdict, trouble) = try await verdict(of: kata)
        guard verdict.outcome != .mastered, let test = verdict.rootFailures(in: kata).first else {
            return tell(kata, verdict, nil, level: 0, texts)
        }
        // Under the store's lock: two terminals get two levels.
        var level = min((seat.progress.katas[kata.kata]?.hintsShown[test.id] ?? 0) + 1, KataTexts.hintLevels)
        let remembered = seat.remember { progress in
            level = min((progress.katas[kata.kata]?.hintsShown[test.id] ?? 0) + 1, KataTexts.hintLevels)
            progress.katas[kata.kata, default: KataProgress()].hintsShown[test.id] = level
        }
        if let trouble { seat.console.say(trouble) }
        if !seat.request.json, let first = verdict.diagnostics.first(where: { $0.severity == .error }) {
            seat.console.print(text.line(first), "")
        }
        _ = tell(kata, verdict, test, level: level, texts)
        return remembered ? .passed : .trouble
    }

    /// What the file is worth now; what was last remembered of it where that cannot be found out, and why.
    private func verdict(of kata: Kata) async throws -> (Verdict, trouble: String?) {
        do {
            let grader = try seat.grader(seed: seat.progress.seed ?? 1)
            return (try await grader.grade(try seat.submission(kata)), nil)
        } catch {
            let failing = seat.progress.katas[kata.kata]?.last?.failing ?? kata.tests.map(\.id)
            let outcome = seat.progress.katas[kata.kata]?.last?.outcome ?? .notStarted
            let tests = kata.tests.map {
                TestVerdict(id: $0.id, outcome: failing.contains($0.id) ? .failed : .passed, points: 0)
            }
            let remembered = Verdict(
                kata: kata.kata, outcome: outcome, points: 0, maxPoints: kata.maxPoints, seconds: 0, diagnostics: [],
                tests: tests)
            let sentence =
                switch error {
                case let error as GradingError: seat.words.reports(error.statement)
                case let stop as Stop: stop.sentence
                default: "\(error)"
                }
            return (remembered, sentence)
        }
    }

    private func tell(
        _ kata: Kata, _ verdict: Verdict, _ test: KataTest?, level: Int, _ texts: KataTexts
    ) -> ExitCode {
        let hints = test.map { test in level > 0 ? (1...level).map { texts.hint($0, for: test, in: verdict) } : [] } ?? []
        let title = test.map { texts.title(of: $0) }
        if seat.request.json {
            let report = HintReport(
                language: seat.language, kata: kata.kata, outcome: verdict.outcome, test: test?.id, title: title, level: level,
                hints: hints)
            seat.console.printVerbatim(JSONText.of(report))
            return .passed
        }
        let words = seat.words.reports
        guard let title else {
            seat.console.print(words(.hintNone, .text(kata.kata)))
            return .passed
        }
        var lines = [[seat.style.bold(kata.kata), title].joined(separator: seat.style.separator), ""]
        if let test { lines += text.hints(of: test, in: verdict, texts: texts, shown: level) }
        let isLast = level == KataTexts.hintLevels
        let next = "\(seat.program) \(isLast ? "solution" : "hint") \(kata.kata)"
        lines.append(words(isLast ? .hintLast : .hintMore, .text(next)))
        seat.console.print(lines)
        return .passed
    }
}
