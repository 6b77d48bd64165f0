import Reports
import Testing
import Workbook

@Suite("A verdict in a terminal")
struct CheckTextTests {
    private func lines(
        _ localized: LocalizedVerdict, style: TextStyle = TextStyle(isColored: false, isUnicode: true),
        language: Language = .english
    ) throws -> [String] {
        try CheckText(strings: ReportStrings(language), style: style, hintStep: .command("grader hint FirstValue"))
            .lines(localized, path: "Exercises/FirstValue/FirstValue.swift", modelAnswer: "Solutions/FirstValue")
    }

    @Test("After passing, each theme has its count, and the failures of one theme are shown")
    func themes() throws {
        var kata = Fixture.kata
        (kata.tests[2].theme, kata.tests[3].theme) = (.cancellation, .errors)
        kata.tests[3].after = []
        let verdict = Fixture.verdict(.passed, [.passed, .passed, .failed, .failed])
        let localized = LocalizedVerdict(verdict, kata: kata, texts: try Fixture.texts(), hintsShown: [:])
        let style = TextStyle(isColored: false, isUnicode: true)
        let text = CheckText(strings: try ReportStrings(.english), style: style, hintStep: .key("h"))
        let lines = text.lines(localized, path: "a.swift", modelAnswer: nil)
        #expect(
            lines.contains(
                "○ Cancellation 0/1 · ○ Errors and completion 0/1".replacing(" ", with: "\u{A0}")
                    .replacing("\u{A0}·\u{A0}", with: " · ")))
        #expect(lines.contains { $0.contains("Title of cancels") })
        #expect(!lines.contains { $0.contains("Title of end") })
        #expect(lines.contains("1 test of another theme does not pass yet."))
    }

    @Test("An open hint of a passed kata stands right above its failure, and what is done stands below both")
    func hintBesideItsFailure() throws {
        let localized = try Fixture.localized(Fixture.verdict(.passed, [.passed, .passed, .failed, .failed]))
        let style = TextStyle(isColored: false, isUnicode: true)
        let text = CheckText(strings: try ReportStrings(.english), style: style, hintStep: .key("h"))
        let lines = text.lines(
            localized, path: "a.swift", modelAnswer: nil, next: ["Next."], openHint: Fixture.kata.tests[2])
        let hint = try #require(lines.firstIndex(of: "Hint 1 of cancels"))
        #expect(lines[hint - 1].hasPrefix("Hint 1 of 3"))
        #expect(hint == 3 && lines[hint + 1].isEmpty && lines[hint + 2].contains("✗ Title of cancels"))
        #expect(try #require(lines.firstIndex(of: "Next.")) > hint)
    }

    @Test("A verdict that took no time says no time")
    func remembered() throws {
        var verdict = Fixture.verdict(.mastered, [.passed, .passed, .passed, .passed])
        #expect(try lines(Fixture.localized(verdict))[0].hasSuffix("8/8 points · 0.61 s"))
        verdict.seconds = 0.004
        #expect(try lines(Fixture.localized(verdict))[0].hasSuffix("8/8 points"))
    }

    @Test("A message about the whole file names it once")
    func aboutTheFile() throws {
        let missing = Diagnostic(
            severity: .error, file: "a.swift", line: 0, column: 0, message: LocalizableMessage(.fileMissing, "a.swift"))
        let text = try lines(Fixture.localized(Fixture.verdict(.rejected, [], diagnostics: [missing])))
        #expect(text[1].hasPrefix("error: `a.swift` is missing."))
    }

    @Test("Hint 1 reminds a learner of the kata in which the rule was met, and not in that kata itself")
    func solvedRule() throws {
        var kata = Fixture.kata
        kata.tests[2].rule = "cancelled-before"
        let verdict = Fixture.verdict(.passed, [.passed, .passed, .failed, .passed])
        var text = CheckText(
            strings: try ReportStrings(.english), style: TextStyle(isColored: false, isUnicode: true),
            hintStep: .key("h"))
        func first() throws -> [String] {
            text.hints(of: kata.tests[2], in: verdict, texts: try Fixture.texts(), shown: 1)
        }
        let before = try first()
        text.solved = [
            "cancelled-before": SolvedRule(title: "Title", kata: "AsyncMerge", file: "AsyncMerge.swift", code: ["a()"])
        ]
        #expect(
            try first() == before.prefix(1)
                + ["You know this rule from AsyncMerge: Title. Your code there: AsyncMerge.swift", "    a()"]
                + before.dropFirst())
        text.solved["cancelled-before"]?.kata = "FirstValue"
        #expect(try first() == before)
    }

    @Test("Shows a failure by its title, expected above actual, and the hint to type next")
    func failure() throws {
        let verdict = Fixture.verdict(
            .failed, [.failed, .failed, .passed, .passed], messages: [LocalizableMessage(.mismatch, "3", "nil")])
        #expect(
            try lines(Fixture.localized(verdict)) == [
                "FirstValue · not passed yet · 4/8 points · 0.61 s",
                "0 of 2 core tests pass.",
                "2 of 2 robust tests pass.",
                "",
                "✗ Title of first · core test · failed",
                "    expected  3",
                "    got       nil",
                "",
                "1 more test does not pass because of these failures.",
                "    ○ Title of second",
                "",
                "Next hint: `grader hint FirstValue`",
            ])
    }

    @Test("A compiler error is a line that editors turn into a link")
    func diagnostics() throws {
        let diagnostic = Diagnostic(
            severity: .error, file: "Exercises/FirstValue/FirstValue.swift", line: 12, column: 5,
            message: LocalizableMessage(.verbatim, "cannot find 'x' in scope"))
        let localized = try Fixture.localized(Fixture.verdict(.didNotCompile, [], diagnostics: [diagnostic]))
        let lines = try lines(localized)
        #expect(lines.contains("Exercises/FirstValue/FirstValue.swift:12:5: error: cannot find 'x' in scope"))
        #expect(lines.contains("The file does not compile; the first error is on line 12."))
    }

    @Test("Output is quoted, and the bytes that are left out are counted")
    func output() throws {
        var verdict = Fixture.verdict(.failed, [.failed, .passed, .passed, .passed])
        verdict.tests[0].output = (1...30).map { "line \($0)\n" }.joined() + "\u{1B}]0;mine\u{07}"
        verdict.tests[0].outputCut = 1000
        let lines = try lines(Fixture.localized(verdict))
        let cut = try #require(lines.firstIndex { $0.contains("more bytes of output are not shown") })
        #expect(lines[cut - 1] == "    │ line 10")
        #expect(lines[cut + 1] == "    │ line 22")
        #expect(!lines.joined().contains("\u{1B}"))
    }

    @Test("Time is drawn, with the first difference below")
    func marbles() throws {
        var verdict = Fixture.verdict(.failed, [.failed, .passed, .passed, .passed])
        verdict.tests[0].marbles = Marbles(
            expected: [.init(milliseconds: 100, label: "1"), .init(milliseconds: 300, label: "2")],
            actual: [.init(milliseconds: 100, label: "1")])
        let style = TextStyle(isColored: false, isUnicode: false)
        let text = try lines(Fixture.localized(verdict), style: style)
        #expect(text.contains("    expected  -1-2"))
        #expect(text.contains("    got       -1--"))
        #expect(text.contains("                 ^ first difference: 300 ms"))
    }

    @Test("The input is drawn above, with a label in every language", arguments: Language.allCases)
    func input(language: Language) throws {
        var verdict = Fixture.verdict(.failed, [.failed, .passed, .passed, .passed])
        verdict.tests[0].marbles = Marbles(
            input: [.init(milliseconds: 0, label: "a1")], expected: [.init(milliseconds: 300, label: "a1")], actual: [])
        let text = try lines(Fixture.localized(verdict), language: language)
        let strings = try ReportStrings(language)
        let labels = [ReportKey.labelInput, .labelExpected, .labelActual].map { strings($0) }
        #expect(Set(labels).count == 3)
        let first = try #require(text.firstIndex { $0.hasPrefix("    " + labels[0]) && $0.hasSuffix("a1───") })
        #expect(text[first + 1].hasPrefix("    " + labels[1]) && text[first + 1].hasSuffix("───a1"))
        #expect(text[first + 2].hasPrefix("    " + labels[2]) && text[first + 2].hasSuffix("─────"))
    }

    /// What is said of a test that has found something about threads.
    private func failure(
        _ message: LocalizableMessage.Key, race: DataRace? = nil, schedule: Schedule, language: Language = .english
    ) throws -> [String] {
        var result = TestVerdict(id: "T/first()", outcome: .failed, points: 0, messages: [LocalizableMessage(message)])
        result.race = race
        result.schedule = schedule
        let text = CheckText(
            strings: try ReportStrings(language), style: TextStyle(isColored: false, isUnicode: true),
            hintStep: .key("h"), scheduleStep: .command { "grader check K --schedule '\($0)'" })
        return text.failure(Fixture.kata.tests[0], result, title: "Title")
    }

    private static let rows = [
        Schedule.Row(thread: 0, line: 9, code: "count += 1", does: .writes),
        Schedule.Row(thread: 2, line: 12, code: "count == 2", does: .reads, mistake: true),
    ]

    @Test("A data race is told by its two lines, with the code of each and what each does")
    func dataRace() throws {
        let race = DataRace(lines: [
            .init(line: 9, does: .writes, code: "count += 1"), .init(line: 12, does: .reads, code: "count == 2"),
        ])
        let lines = try failure(.dataRace, race: race, schedule: Schedule(text: "A4>C", rows: Self.rows))
        #expect(lines[1].hasPrefix("    This is a data race: "))
        #expect(
            Array(lines.dropFirst(2)) == [
                "    line 9 writes:  count += 1",
                "    line 12 reads:  count == 2",
                "    The steps that led to it:",
                "      thread A      │ thread C",
                "       9 count += 1 │",
                "    ✗               │ 12 count == 2",
                "    To run this order again, step by step: `grader check K --schedule 'A4>C'`",
            ])
    }

    @Test(
        "Only a data race is called so: what goes wrong in one order alone is a race condition",
        arguments: Language.allCases)
    func raceCondition(language: Language) throws {
        let names = [
            Language.english: "data race", .spanish: "data race", .indonesian: "data race", .thai: "data race",
            .korean: "데이터 경쟁", .chinese: "数据竞争",
        ]
        let name = try #require(names[language])
        let schedule = Schedule(text: "A4>C", rows: Self.rows)
        let condition = try failure(.mismatch, schedule: schedule, language: language).joined(separator: "\n")
        #expect(!condition.contains(name) && condition.contains("race condition"))
        let race = try failure(.dataRace, race: DataRace(lines: []), schedule: schedule, language: language)
        #expect(race.joined().contains(name) && !race.joined().contains("race condition"))
        let plain = try failure(.mismatch, schedule: Schedule(text: "", rows: Self.rows), language: language)
        #expect(!plain.joined().contains("race condition") && !plain.joined().contains(name))
    }

    @Test("Where nothing can go on, it is said what each thread waits for, and where")
    func stuck() throws {
        let schedule = Schedule(
            text: "A4>C", rows: [],
            waits: [
                .init(thread: 0, on: .lock, line: 7, code: "first.lock()"), .init(thread: 12, on: .task),
            ])
        #expect(
            try failure(.stuck, schedule: schedule).dropFirst(2) == [
                "    thread A  waits for a lock                    7 first.lock()",
                "    thread M  waits for a task or a continuation",
            ])
    }

    @Test("Each deed and each wait has its own words", arguments: Language.allCases)
    func words(language: Language) throws {
        let strings = try ReportStrings(language)
        #expect(Set(Deed.allCases.map { strings(ReportKey($0)) }).count == Deed.allCases.count)
        let causes = Schedule.Wait.Cause.allCases
        #expect(Set(causes.map { strings(ReportKey($0)) }).count == causes.count)
    }

    @Test("Without UTF-8, all drawings are ASCII")
    func ascii() throws {
        let verdict = Fixture.verdict(.failed, [.failed, .crashed, .timedOut, .notRun])
        let style = TextStyle(isColored: false, isUnicode: false)
        let text = try lines(Fixture.localized(verdict), style: style).map(style.folded).joined()
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("Colors do not change the text")
    func colors() throws {
        let localized = try Fixture.localized(Fixture.verdict(.passed, [.passed, .passed, .failed, .passed]))
        let plain = try lines(localized)
        let colored = try lines(localized, style: TextStyle(isColored: true, isUnicode: true))
        #expect(colored != plain)
        #expect(colored.map { $0.replacing(/\u{1B}\[\d+m/, with: "") } == plain)
    }

    @Test("Every outcome has a text in every language", arguments: Language.allCases)
    func outcomes(language: Language) throws {
        for outcome in [Verdict.Outcome.notStarted, .didNotCompile, .failed, .passed, .mastered, .rejected] {
            let lines = try lines(Fixture.localized(Fixture.verdict(outcome, [])), language: language)
            #expect(!lines.joined().contains("outcome."))
            #expect(!lines.isEmpty)
        }
    }
}
