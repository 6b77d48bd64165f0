import Workbook

/// A verdict on one of a kata's own answers.
struct AnswerVerdict: Sendable, Equatable {
    var answer: KnownAnswer
    var seed: UInt64
    var verdict: Verdict
}

/// What holds of the verdicts on the answers of a kata.
extension KataFiles {
    /// What holds of the answers together, before any of them is graded.
    func shortcomings(of answers: [KnownAnswer]) -> [Shortcoming] {
        var found: [Shortcoming] = []
        let caught = answers.filter { $0.kind == .mutant }.reduce(into: Set<String>()) { $0.formUnion($1.fails) }
        for test in kata.tests where !caught.contains(test.id) {
            found.append(shortcoming(.testNotCaught, test.id, mutantsFolder))
        }
        if !answers.contains(where: { $0.kind == .right }) { found.append(shortcoming(.noRightAnswer, mutantsFolder)) }
        if let article = answers.first(where: \.isArticle) {
            let core = kata.tests.filter { $0.tier == .core }.map(\.id).filter(article.fails.contains)
            if !core.isEmpty { found.append(shortcoming(.articleFailsCore, article.path, core.listed)) }
            if article.fails.isEmpty { found.append(shortcoming(.articleMasters, article.path)) }
        }
        return found
    }

    /// Whether every hint is the one that some failure of a mutant or of the stub calls for, be it explained by another failure
    /// or not. It can be said only when all mutants were graded.
    ///
    /// The own hint of a test that has rules is there for what no rule foresees, so it need not be reached.
    func shortcomingsOfReach(_ verdicts: [AnswerVerdict]) -> [Shortcoming] {
        let reached = hintsReached(verdicts)
        var told: Set<String> = []
        return kata.tests.flatMap {
            $0.hints.isEmpty ? [$0.hint] : $0.hints.filter(Self.isCheapToReach).map(\.hint)
        }.filter {
            !reached.contains($0) && told.insert($0).inserted
        }.map { shortcoming(.hintNotReached, $0, mutantsFolder) }
    }

    /// The hints that some failure calls for.
    func hintsReached(_ verdicts: [AnswerVerdict]) -> Set<String> {
        let english = englishTexts
        var reached: Set<String> = []
        for graded in verdicts where graded.answer.kind == .mutant || graded.answer.kind == .stub {
            for test in kata.tests where graded.failed.contains(test.id) {
                let hint = test.hint(in: graded.verdict)
                reached.insert(hint)
                // The levels that a chosen hint leaves out are those of the test's own. One that is the same for all katas
                // stands in for it.
                let lacksLevels = KataTest.levelKeys(of: hint).contains { english?.has($0) == false }
                if lacksLevels { reached.insert(test.hint) }
            }
        }
        return reached
    }

    /// A mutant that runs without end may take the whole time of a grading, from which nothing else is learned.
    private static func isCheapToReach(_ rule: HintRule) -> Bool {
        !["stillRunning", TestVerdict.Outcome.timedOut.rawValue].contains(rule.kind)
    }

    /// Whether the model answer was mastered each time.
    func shortcomingsOfModelAnswer(_ verdicts: [AnswerVerdict]) -> [Shortcoming] {
        let others = verdicts.filter { $0.verdict.outcome != .mastered }
        guard let first = others.first else { return warnings(verdicts.first) }
        let failed = kata.tests.map(\.id).filter { first.failed.contains($0) }
        return [
            shortcoming(
                .answerNotMastered, first.answer.path, "\(verdicts.count - others.count)", "\(verdicts.count)",
                "\(first.seed)", failed.listed, details: first.words(about: failed))
        ]
    }

    /// Whether a stub, a mutant or a right answer did what is said of it.
    func shortcomings(of graded: AnswerVerdict) -> [Shortcoming] {
        let answer = graded.answer
        let verdict = graded.verdict
        guard verdict.tests.count == kata.tests.count, !verdict.diagnostics.contains(where: { $0.severity == .error })
        else { return [shortcoming(.answerNotRun, answer.path, details: graded.words(about: []))] }

        let surplus = ordered(graded.failed.subtracting(answer.fails).subtracting(answer.mayFail))
        let missing = ordered(answer.fails.subtracting(graded.failed))
        if answer.kind == .stub {
            return (missing.isEmpty ? [] : [shortcoming(.stubPasses, answer.path, missing.listed)]) + warnings(graded)
        }
        var found: [Shortcoming] = []
        if !surplus.isEmpty {
            found.append(
                shortcoming(
                    .answerFailsMore, answer.path, surplus.listed,
                    details: graded.words(about: Array(surplus.prefix(1)))))
        }
        if !missing.isEmpty { found.append(shortcoming(.answerFailsLess, answer.path, missing.listed)) }
        if let hint = answer.hint { found += shortcomings(of: hint, graded) }
        return found
    }

    func shortcomings(of hint: KnownAnswer.FirstHint, _ graded: AnswerVerdict) -> [Shortcoming] {
        let path = graded.answer.path
        guard let first = graded.verdict.rootFailures(in: kata).first else { return [] }
        guard first.id == hint.test else { return [shortcoming(.answerShowsOtherTest, path, hint.test, first.id)] }
        let shown = first.hint(in: graded.verdict)
        let kind = graded.verdict.tests.first { $0.id == first.id }?.kind ?? ""
        if shown == hint.name || kind == hint.name { return [] }
        return [shortcoming(.answerShowsOtherHint, path, hint.test, hint.name, shown, kind)]
    }

    /// What learners are given and shown compiles without a warning.
    private func warnings(_ graded: AnswerVerdict?) -> [Shortcoming] {
        guard let graded, !graded.verdict.diagnostics.isEmpty else { return [] }
        return [shortcoming(.answerWarnings, graded.answer.path, details: graded.words(about: []))]
    }

    /// The tests that took too long in each of these verdicts, which were made with a limit of so many seconds.
    func shortcomingsOfTime(_ verdicts: [Verdict], seconds: Double) -> [Shortcoming] {
        let late = verdicts.map { verdict in
            Set(verdict.tests.filter { $0.outcome == .timedOut }.map(\.id))
        }
        guard let first = late.first else { return [] }
        return ordered(late.dropFirst().reduce(first) { $0.intersection($1) })
            .map { shortcoming(.testTakesLong, $0, seconds.short) }
    }

    /// In the order of `kata.json`.
    private func ordered(_ tests: Set<String>) -> [String] {
        let known = kata.tests.map(\.id)
        return known.filter(tests.contains) + tests.subtracting(known).sorted()
    }
}

extension AnswerVerdict {
    fileprivate var failed: Set<String> { Set(verdict.tests.filter { $0.outcome != .passed }.map(\.id)) }

    /// What the compiler said, or else what these tests did.
    fileprivate func words(about tests: [String]) -> [LocalizableMessage] {
        let diagnostics = verdict.diagnostics.map { diagnostic in
            diagnostic.line > 0 && diagnostic.message.key == .verbatim
                ? LocalizableMessage(
                    .verbatim, "\(diagnostic.line):\(diagnostic.column): \(diagnostic.message.arguments.joined())")
                : diagnostic.message
        }
        if !diagnostics.isEmpty { return diagnostics }
        return verdict.tests.filter { tests.contains($0.id) }.compactMap(\.messages.first)
    }
}
