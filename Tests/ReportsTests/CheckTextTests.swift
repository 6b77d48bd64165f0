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
