import Workbook

/// A verdict with what is needed to tell it: the kata it is about, and the kata's own words.
public struct LocalizedVerdict: Sendable {
    public var verdict: Verdict
    public var kata: Kata
    public var texts: KataTexts
    /// How many hints of a mistake its reader has seen (`KataTest.mistake`).
    public var hintsShown: [String: Int]

    public init(_ verdict: Verdict, kata: Kata, texts: KataTexts, hintsShown: [String: Int] = [:]) {
        self.verdict = verdict
        self.kata = kata
        self.texts = texts
        self.hintsShown = hintsShown
    }

    /// The newest hint that was shown for what this verdict says of a test; the first, if none was.
    func hintLevel(of test: KataTest) -> Int {
        min(max(hintsShown[test.mistake(in: verdict)] ?? 1, 1), KataTest.hintLevels)
    }
}

extension CheckReport {
    public init(_ verdicts: [LocalizedVerdict], seed: UInt64, strings: ReportStrings) {
        self.init(language: strings.language, seed: seed, katas: verdicts.map { KataReport($0, strings: strings) })
    }
}

extension CheckReport.KataReport {
    public init(_ localized: LocalizedVerdict, strings: ReportStrings) {
        let verdict = localized.verdict
        let roots = Set(verdict.rootFailures(in: localized.kata).map(\.id))
        let byID = Dictionary(verdict.tests.map { ($0.id, $0) }) { first, _ in first }
        self.init(
            kata: verdict.kata, outcome: verdict.outcome, points: verdict.points, maxPoints: verdict.maxPoints,
            seconds: (verdict.seconds * 1000).rounded() / 1000,
            diagnostics: verdict.diagnostics.map {
                CheckReport.DiagnosticReport($0, strings)
            },
            themes: verdict.themes(in: localized.kata),
            tests: localized.kata.tests.map { test in
                let result = byID[test.id] ?? TestVerdict(id: test.id, outcome: .notRun, points: 0)
                // One mistake gives one hint: a failure that another one explains has none of its own.
                return CheckReport.TestReport(
                    id: test.id, framework: test.framework, tier: test.tier, theme: test.theme, rule: test.rule,
                    title: localized.texts.title(of: test), outcome: result.outcome, points: result.points,
                    maxPoints: test.points,
                    message: result.message(strings) ?? verdict.whyNotRun(result, strings),
                    stillRunning: result.stillRunning, output: result.output,
                    // Of a test that did not run nothing is known that a hint could answer.
                    hint: roots.contains(test.id) && result.outcome != .notRun
                        ? localized.texts.hint(
                            localized.hintLevel(of: test), for: test, in: verdict, general: strings) : nil,
                    marbles: result.marbles, race: result.race, schedule: result.schedule?.text,
                    scheduleRows: result.schedule?.rows, orders: result.orders, waits: result.schedule?.waits)
            })
    }
}

extension Verdict {
    /// Why a test has no result; `nil` where it has one.
    fileprivate func whyNotRun(_ test: TestVerdict, _ strings: ReportStrings) -> String? {
        guard test.outcome == .notRun else { return nil }
        let file = StringCatalog.Argument.text("\(kata).swift")
        return switch outcome {
        case .didNotCompile: strings(.notRunDidNotCompile, file)
        case .rejected: strings(.notRunRejected, file)
        case .notStarted: strings(isHandedIn ? .notRunNotStarted : .notRunNotHandedIn, file)
        case .failed, .passed, .mastered: strings(.notRunEnded)
        }
    }
}
