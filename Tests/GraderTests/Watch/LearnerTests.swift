import Foundation
import Reports
import Storage
import TerminalDriver
import TestSupport
import Testing
import Workbook

@testable import grader

/// What a learner does at a terminal, in each language: with the real program.
@Suite("A learner at a terminal", .grades)
struct LearnerTests {
    /// A workbook that is open on a terminal, and what it says.
    private struct Sitting {
        let workbook: WatchedWorkbook
        let terminal: PseudoTerminal
        let reports: ReportStrings
        let watch: WatchStrings
        let texts: KataTexts

        init(
            _ language: Language, isFirst: Bool = false, columns: Int = 80, rows: Int = 24,
            environment: [String: String] = [:]
        ) throws {
            workbook = try WatchedWorkbook(language: isFirst ? nil : language)
            reports = try ReportStrings(language)
            watch = try WatchStrings(language)
            texts = try KataTexts(
                contentsOf: WorkbookFolder(workbook.folder).texts(workbook.first), language: language)
            terminal = try workbook.open(columns: columns, rows: rows, environment: environment)
            if !isFirst { try wait(reports(Verdict.Outcome.notStarted)) }
        }

        func wait(_ text: String) throws { try terminal.wait(for: text, anywhere: true) }

        /// Saves an answer, and waits until the screen has its verdict.
        func save(_ text: String, _ outcome: Verdict.Outcome) throws {
            try workbook.save(text)
            try wait("\(workbook.first) · \(reports(outcome))")
        }

        /// The line of the screen in which a text begins.
        func line(_ text: String) throws -> Int {
            try #require(terminal.screen.lines.firstIndex { $0.contains(text) }, "\(terminal.screen.text)")
        }

        func quit() throws {
            terminal.type("q")
            #expect(try terminal.exitCode() == 0)
            #expect(terminal.screen.lost == 0)
        }
    }

    // MARK: - The screen

    @Test("The cursor stays on the last cell of a full line, and erasing from there erases the character in it")
    func fullLine() {
        var screen = ScreenCells(columns: 4, rows: 2)
        screen.write(Array("abcd\u{1B}[K".utf8))
        #expect(screen.lines == ["abc", ""])
        screen.write(Array("\u{1B}[Habcde".utf8))
        #expect(screen.lines == ["abcd", "e"])
    }

    /// The brief without its last section, which says what to type where nothing watches.
    private static func brief(_ kata: String, _ language: Language, _ workbook: WorkbookFolder) throws -> String {
        let next = try BriefText.place(of: "Next", in: #require(workbook.brief(kata, .english)))
        let brief = try BriefText.text(
            #require(workbook.brief(kata, language)), beforeSection: #require(next))
        return try #require(brief)
    }

    @Test("A line as wide as the screen keeps its last character", arguments: Language.allCases)
    func fullWidth(language: Language) throws {
        let workbook = try #require(WorkbookFolder(containing: URL(fileURLWithPath: #filePath)))
        let brief = try Self.brief("AsyncMerge", language, workbook)
        let style = TextStyle(isColored: false, isUnicode: true)
        let lines = BriefText.lines(of: brief, style: style)
        let columns = try #require(
            (50...90).first { columns in
                ScreenParts.wrapped(lines, columns, style).contains { CellWidth.of($0) == columns }
            })
        // Not resized: a key may be answered before the new size is noticed, in lines that are too wide for it.
        let place = try Sitting(language, columns: columns, rows: 400)
        place.terminal.type("b")
        try place.wait(lines.joined())
        try place.quit()
    }

    // MARK: - The first time

    @Test(
        "After the choice of a language, four sentences say how it works, and Enter continues",
        arguments: Language.allCases)
    func firstUse(language: Language) throws {
        let place = try Sitting(language, isFirst: true)
        try place.terminal.wait(for: Language.korean.ownName)
        place.terminal.type("\((Language.allCases.firstIndex(of: language) ?? 0) + 1)")
        try place.wait(place.watch(.introTitle))
        let file = "Exercises/\(place.workbook.first)/\(place.workbook.first).swift"
        for sentence in [
            place.watch(.introKata), place.watch(.introTiers), place.watch(.introFile, .text(file)),
            place.watch(.introHints, "h"),
        ] { try place.wait(sentence) }
        place.terminal.type("\r")
        try place.wait(place.reports(Verdict.Outcome.notStarted))
        try place.quit()

        let again = try place.workbook.open(columns: 80, rows: 24)
        try again.wait(for: place.reports(Verdict.Outcome.notStarted), anywhere: true)
        again.type("q")
        #expect(try again.exitCode() == 0)
    }

    // MARK: - Hints

    @Test(
        "A hint is below the first line of the verdict, and disappears when the verdict changes",
        arguments: Language.allCases)
    func hints(language: Language) throws {
        let place = try Sitting(language)
        let (reports, terminal) = (place.reports, place.terminal)
        try place.save(place.workbook.mutant("ErrorsInOrder"), .failed)
        let title = place.texts.title(
            of: KataTest(id: "", framework: .xctest, tier: .core, points: 1, hint: "firstError"))
        for level in 1...3 {
            terminal.type("h")
            let heading = reports(.hintHeading, .integer(level), 3)
            try place.wait("\(heading) · \(title)")
            let verdict = try place.line("\(place.workbook.first) · \(reports(Verdict.Outcome.failed))")
            #expect(try verdict < place.line(heading))
            #expect(try place.line(heading) < place.line("✗ "))
        }
        try place.wait("for try await result in group {")
        #expect(!terminal.screen.text.contains("```"))
        terminal.type("h")
        // The verdict says it where the next hint was named, also before the key: above the keys it is the key's answer.
        try terminal.waitForAbsence(of: place.watch(.saveToRun))
        try place.wait(reports(.hintLastOfTest))

        try place.save(place.workbook.modelAnswer(), .mastered)
        #expect(!terminal.screen.text.contains(reports(.hintHeading, 3, 3)))
        terminal.type("h")
        try place.wait(reports(.hintNone, .text(place.workbook.first)))
        try place.quit()
    }

    @Test(
        "The compiler's errors are in the order of the lines, with line and column", arguments: Language.allCases)
    func compilerErrors(language: Language) throws {
        let place = try Sitting(language)
        try place.save(
            """
            func second() -> Int { "two" }
            struct Empty {}
            \tlet first: Int = nothing

            """, .didNotCompile)
        let screen = place.terminal.screen
        let first = try place.line("1 │ func second() -> Int { \"two\" }")
        let second = try place.line("3 │     let first: Int = nothing")
        #expect(first < second)
        let caret = try #require(screen.lines[second + 1].range(of: "^"))
        let cells = screen.lines[second + 1].distance(from: screen.lines[second + 1].startIndex, to: caret.lowerBound)
        let name = try #require(screen.lines[second].range(of: "nothing"))
        #expect(cells == screen.lines[second].distance(from: screen.lines[second].startIndex, to: name.lowerBound))
        #expect(!screen.text.contains(place.reports(.nextHintKey, "h")))
        place.terminal.type("h")
        try place.wait(place.watch(.noHintCompile))
        try place.quit()
    }

    // MARK: - Keys

    @Test(
        "A key that does nothing says so; End goes to the end; a reset is reported until the next key",
        arguments: Language.allCases)
    func keys(language: Language) throws {
        let place = try Sitting(language)
        place.terminal.type("z")
        try place.wait(place.watch(.noUse, "z"))

        place.terminal.type("b")
        try place.wait(place.watch(.brief))
        place.terminal.type("\u{1B}[F")
        let brief = try Self.brief(place.workbook.first, language, WorkbookFolder(place.workbook.folder))
        let lines = BriefText.lines(of: brief, style: TextStyle(isColored: false, isUnicode: true))
        try place.wait(#require(lines.last))
        #expect(!place.terminal.screen.text.contains("grader check"))
        place.terminal.type("b")

        place.terminal.type("?")
        try place.wait(place.watch(.keys))
        try place.wait("  p \(place.watch(.keyPrevious))")
        try place.wait("  ★ \(place.reports(.mastered))")
        try place.wait("  ✓ \(place.reports(Verdict.Outcome.passed))")
        place.terminal.type("?")

        try place.save("let unfinished: Int =", .didNotCompile)
        place.terminal.type("x")
        try place.wait(place.watch(.askReset, .text(place.workbook.first), "y"))
        place.terminal.type("y")
        try place.wait("\(place.workbook.first) · \(place.reports(.notStarted))")
        try place.wait(".grader/backups/")
        #expect(try place.workbook.text() == place.workbook.stub())
        try place.quit()
    }

    @Test("Saving another kata's file switches to it, and says so", arguments: Language.allCases)
    func switches(language: Language) throws {
        let place = try Sitting(language)
        let second = place.workbook.second
        try place.workbook.save(place.workbook.modelAnswer(second), kata: second)
        try place.wait("\(second) · \(place.reports(.mastered))")
        try place.wait(place.watch(.switched, .text(second)))
        try place.wait(place.watch(.masteredCount, 1))
        try place.quit()
    }

    @Test("Deleting another kata's file is no save of it")
    func deletesAnother() throws {
        let place = try Sitting(.english)
        let file = WorkbookFolder(place.workbook.folder).learnerFile(place.workbook.second)
        try FileManager.default.removeItem(at: file)
        try place.save(place.workbook.modelAnswer(), .mastered)
        // Had the screen gone to the other kata, it would say that the save led back.
        #expect(!place.terminal.screen.text.contains(place.watch(.switched, .text(place.workbook.first))))
        try place.quit()
    }

    @Test("One key grades all katas", arguments: Language.allCases)
    func checksAll(language: Language) throws {
        let place = try Sitting(language)
        place.terminal.type("c")
        try place.wait(place.watch(.checkedAll))
        try place.wait(place.watch(.list))
        #expect(try place.workbook.progress().katas[place.workbook.second]?.last?.outcome == .notStarted)
        try place.quit()
    }

    @Test(
        "One key opens the learner's editor on the terminal, and what it saves is graded", arguments: Language.allCases)
    func editor(language: Language) async throws {
        let scratch = try ScratchFolder()
        let answer = scratch("answer.swift")
        let program = try await scratch.addProgram("editor", "test -t 0 && cp '\(answer.path)' \"$1\"")
        let place = try Sitting(language, environment: ["EDITOR": "false", "VISUAL": program.path])
        try Data(place.workbook.modelAnswer().utf8).write(to: answer)
        place.terminal.type("e")
        try place.wait("\(place.workbook.first) · \(place.reports(.mastered))")
        #expect(place.terminal.screen.isAlternate)
        try place.quit()
        #expect(place.terminal.isCooked)
    }

    @Test("An editor that fails is named", arguments: Language.allCases)
    func failingEditor(language: Language) throws {
        let failing = try Sitting(language, environment: ["EDITOR": "false"])
        failing.terminal.type("e")
        try failing.wait(failing.watch(.editorFailed, "false"))
        try failing.quit()
    }

    // MARK: - Done

    @Test(
        "A mastered kata shows how long it took, the model answer and all hints", arguments: Language.allCases)
    func done(language: Language) throws {
        let place = try Sitting(language, rows: 60)
        place.terminal.type("m")
        try place.wait(place.watch(.noAnswer))
        try place.save(place.workbook.mutant("ErrorsInOrder"), .failed)
        try place.save(place.workbook.modelAnswer(), .mastered)
        try place.wait(place.texts.achieved)
        try place.wait(place.watch(.readOtherWays, "m"))
        let begin = try #require(place.watch(.effort, "0:00", 2, 0).split(separator: "0:00").first)
        try place.wait(String(begin))
        place.terminal.type("m")
        try place.wait(place.watch(.answer))
        try place.wait("public struct AsyncMerge {")
        place.terminal.type("\u{1B}[F")
        try place.wait(place.reports(.hintHeading, 3, 3))
        place.terminal.type("m")

        place.terminal.type("n")
        try place.terminal.wait(for: place.workbook.second)
        try place.workbook.save(place.workbook.modelAnswer(place.workbook.second), kata: place.workbook.second)
        try place.wait(place.reports(.allMastered))
        place.terminal.type("\u{1B}[F")
        try place.wait("grader interview")
        try place.quit()
    }

    @Test("A crash is reported once", arguments: Language.allCases)
    func crash(language: Language) throws {
        let place = try Sitting(language, rows: 60)
        let answer = try place.workbook.modelAnswer()
        let brace = try #require(answer.range(of: "async throws -> [T] {"))
        try place.save(
            answer.replacingCharacters(in: brace, with: "async throws -> [T] {\n        fatalError(\"lost\")"), .failed)
        try place.wait(place.reports(TestVerdict.Outcome.crashed))
        let lines = place.terminal.screen.text.split(separator: "✗ ")
        #expect(lines.dropFirst().allSatisfy { $0.components(separatedBy: "lost").count <= 2 })
        #expect(!place.terminal.screen.text.contains("Fatal error"))
        try place.quit()
    }
}
