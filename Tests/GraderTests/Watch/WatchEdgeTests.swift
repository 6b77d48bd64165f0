import Foundation
import Reports
import TerminalDriver
import TestSupport
import Testing
import Workbook

@testable import grader

/// What learners, editors and terminals do apart from saving a file: at a real terminal, with the real program.
@Suite("Watch mode in unusual situations", .grades)
struct WatchEdgeTests {
    private func terminalSession(
        _ language: Language = .english, columns: Int = 80, rows: Int = 24
    ) throws -> (WatchedWorkbook, PseudoTerminal) {
        let workbook = try WatchedWorkbook(language: language)
        let terminal = try workbook.open(columns: columns, rows: rows)
        try terminal.wait(for: ReportStrings(language)(Verdict.Outcome.notStarted), anywhere: true)
        return (workbook, terminal)
    }

    /// Saves an answer that never ends, and returns when the suite is being run.
    private func saveWhatTakesLong(_ workbook: WatchedWorkbook, _ terminal: PseudoTerminal) throws -> Set<Int32> {
        try workbook.save(workbook.endless())
        try terminal.wait(for: "Running the tests")
        func isHarness(_ process: Int32) -> Bool { Processes.name(of: process) == "harness" }
        let started = try Processes.descendants(of: terminal.process) { $0.contains(where: isHarness) }
        #expect(started.contains(where: isHarness))
        return started
    }

    // MARK: - Where it begins

    @Test("It comes back to the kata that was gone to or saved last, also if it was saved while nothing watched")
    func comesBack() throws {
        let (workbook, terminal) = try terminalSession()
        terminal.type("n")
        try terminal.wait(for: "Exercises/\(workbook.second)/")
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)

        let again = try workbook.open(columns: 80, rows: 24)
        try again.wait(for: "Exercises/\(workbook.second)/")
        again.type("q")
        #expect(try again.exitCode() == 0)

        try workbook.save(workbook.stub() + "// begun\n")
        // The file's time is later than that of the last opening, as it is for a person.
        try FileManager.default.setAttributes(
            [.modificationDate: Date().addingTimeInterval(60)], ofItemAtPath: workbook.file.path)
        let later = try workbook.open(columns: 80, rows: 24)
        try later.wait(for: "Exercises/\(workbook.first)/")
        later.type("q")
        #expect(try later.exitCode() == 0)
    }

    // MARK: - The end during a grading

    @Test("Quitting while it grades ends the program at once and leaves no process behind", arguments: ["q", "\u{3}"])
    func quitWhileGrading(key: String) throws {
        let (workbook, terminal) = try terminalSession()
        let started = try saveWhatTakesLong(workbook, terminal)
        terminal.type(key)
        #expect(try terminal.exitCode() == 0)
        #expect(!terminal.screen.isAlternate)
        #expect(terminal.screen.isCursorShown)
        #expect(terminal.isCooked)
        #expect(Processes.remaining(of: started) == [])
        #expect(try TestCache.unfinishedJobs(of: terminal.process) == [])
    }

    @Test("If the terminal is closed while it grades, the program and the processes it started end")
    func lostWhileGrading() throws {
        let (workbook, terminal) = try terminalSession()
        let started = try saveWhatTakesLong(workbook, terminal)
        terminal.hangUp()
        #expect(try terminal.exitCode() == 0)
        #expect(Processes.remaining(of: started) == [])
        #expect(try TestCache.unfinishedJobs(of: terminal.process) == [])
    }

    @Test("Quitting while the next kata is compiled in the background leaves no process behind")
    func quitWhilePreparing() throws {
        let workbook = try WatchedWorkbook(language: .english, nextSuiteIsNew: true)
        let terminal = try workbook.open(columns: 80, rows: 24)
        // This kata's suite is in the cache; the one that is compiled now is the next kata's.
        let started = try Processes.descendants(of: terminal.process, until: { !$0.isEmpty })
        #expect(!started.isEmpty)
        try terminal.wait(for: "not started")
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
        #expect(Processes.remaining(of: started) == [])
        #expect(try TestCache.unfinishedJobs(of: terminal.process) == [])
    }

    @Test("Ctrl-Z while it grades gives the terminal back to the shell, and after fg the verdict is shown")
    func suspendedWhileGrading() throws {
        let (workbook, terminal) = try terminalSession()
        try workbook.save(workbook.modelAnswer())
        try terminal.wait(for: "Running the tests")
        terminal.type("\u{1A}")
        try terminal.untilStopped()
        try terminal.wait(for: "the terminal as it was") { !$0.isAlternate && $0.isCursorShown }
        #expect(terminal.isCooked)
        terminal.resume()
        try terminal.wait(for: "the verdict") { $0.isAlternate && $0.text.contains("AsyncMerge · mastered") }
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
    }

    // MARK: - Sizes

    @Test("A terminal of ten by three cells shows what fits, and everything when it is large again")
    func tiny() throws {
        let (workbook, terminal) = try terminalSession()
        terminal.resize(columns: 10, rows: 3)
        try terminal.wait(for: "something") { $0.text.contains("AsyncMerge") }
        for key in ["l", "l", "b", "b", "h", "g", "\u{1B}"] { terminal.type(key) }
        try workbook.save("let unfinished: Int =")
        terminal.resize(columns: 1, rows: 1)
        terminal.resize(columns: 80, rows: 24)
        try terminal.wait(for: "does not compile")
        try terminal.wait(for: "q quit")
        #expect(terminal.screen.lost == 0)
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
    }

    @Test("At 40 columns no line of any screen is wider", arguments: Language.allCases)
    func narrow(language: Language) throws {
        let reports = try ReportStrings(language)
        let strings = try WatchStrings(language)
        let (workbook, terminal) = try terminalSession(language, columns: 40)
        func look(_ keys: String, _ text: String) throws {
            terminal.type(keys)
            try terminal.wait(for: text, anywhere: true)
        }
        terminal.type("g")
        try terminal.wait(for: strings(.chooseLanguage), anywhere: true)
        try look("\u{1B}", reports(Verdict.Outcome.notStarted))
        try look("b", strings(.brief))
        for _ in 0..<12 { terminal.type(" ") }
        try look("b", reports(Verdict.Outcome.notStarted))
        try look("l", strings(.list))
        try look("x", strings(.askReset, .text(workbook.first), "y"))
        try look("n", strings(.keyReset))
        try look("l", reports(Verdict.Outcome.notStarted))
        try workbook.save("let unfinished: Int = \"a string, and a long one, so that the compiler has much to say\"\n")
        try terminal.wait(for: reports(Verdict.Outcome.didNotCompile), anywhere: true)
        try workbook.save(workbook.mutant("ErrorsInOrder"))
        try terminal.wait(for: reports(.labelExpected), anywhere: true)
        for level in 1...3 { try look("h", reports(.hintHeading, .integer(level), 3)) }
        for _ in 0..<12 { terminal.type(" ") }
        try workbook.save(workbook.modelAnswer())
        try terminal.wait(for: reports(Verdict.Outcome.mastered), anywhere: true)
        try look("n", workbook.second)
        try workbook.save(workbook.modelAnswer(workbook.second), kata: workbook.second)
        try terminal.wait(for: reports(.allMastered), anywhere: true)
        #expect(terminal.screen.lost == 0)
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
    }

    // MARK: - Files

    @Test("A save during a grading is the one that counts")
    func overtaken() throws {
        let (workbook, terminal) = try terminalSession()
        let started = try saveWhatTakesLong(workbook, terminal)
        try workbook.save(workbook.modelAnswer())
        try terminal.wait(for: "AsyncMerge · mastered")
        #expect(Processes.remaining(of: started) == [])
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
        #expect(try workbook.progress().katas[workbook.first]?.attempts == 1)
    }

    @Test("Of ten saves in a row only the last one is graded")
    func tenSaves() throws {
        let (workbook, terminal) = try terminalSession()
        for number in 1...9 { try workbook.save(workbook.modelAnswer() + "\nlet unfinished\(number): Int =\n") }
        try workbook.save(workbook.modelAnswer())
        try terminal.wait(for: "AsyncMerge · mastered")
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
        #expect(try workbook.progress().katas[workbook.first]?.attempts == 1)
    }

    @Test("A file that is deleted is reported, and graded again when it is back")
    func deleted() throws {
        let (workbook, terminal) = try terminalSession()
        try FileManager.default.removeItem(at: workbook.file)
        // A key is called “reset”: that word alone is always there.
        try terminal.wait(for: "reset` restores the stub.", anywhere: true)
        try terminal.wait(for: "Press `x` to restore the stub.", anywhere: true)
        let path = "Exercises/AsyncMerge/AsyncMerge.swift"
        // Once above, as always, and once in the sentence.
        #expect(terminal.screen.text.components(separatedBy: path).count == 3)
        try workbook.replace(workbook.modelAnswer())
        try terminal.wait(for: "AsyncMerge · mastered")
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
    }

    @Test("A folder in place of the file is reported, and so is a link")
    func notAFile() throws {
        let (workbook, terminal) = try terminalSession()
        try FileManager.default.removeItem(at: workbook.file)
        try FileManager.default.createDirectory(at: workbook.file, withIntermediateDirectories: true)
        try terminal.wait(for: "rejected")
        // That may have been said of the missing file: for a folder in its place, nothing is graded again by itself.
        terminal.type("r")
        try terminal.wait(for: "is not a regular file", anywhere: true)
        try FileManager.default.removeItem(at: workbook.file)
        try workbook.replace(workbook.modelAnswer())
        try terminal.wait(for: "AsyncMerge · mastered")
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
    }

    @Test("A folder that is replaced by another one is still watched, as when a branch is changed")
    func folderReplaced() throws {
        let (workbook, terminal) = try terminalSession()
        let folder = workbook.file.deletingLastPathComponent()
        let aside = workbook.folder.appendingPathComponent("aside")
        try FileManager.default.copyItem(at: folder, to: aside)
        try FileManager.default.removeItem(at: folder)
        try terminal.wait(for: "rejected")
        try FileManager.default.moveItem(at: aside, to: folder)
        try terminal.wait(for: "not started")
        try workbook.save(workbook.modelAnswer())
        try terminal.wait(for: "AsyncMerge · mastered")
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
    }

    @Test("A file of a megabyte is reported with its size, and the next save is graded")
    func large() throws {
        let (workbook, terminal) = try terminalSession()
        try workbook.save(String(repeating: "// A line of a comment that nobody reads.\n", count: 26_000))
        try terminal.wait(for: "rejected")
        try terminal.wait(for: "1,092,000", anywhere: true)
        try workbook.save(workbook.modelAnswer())
        try terminal.wait(for: "AsyncMerge · mastered")
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
    }

    // MARK: - The way through

    @Test("The next kata's suite is compiled while the learner reads")
    func nextIsPrepared() throws {
        let workbook = try WatchedWorkbook(language: .english, nextSuiteIsNew: true)
        let terminal = try workbook.open(columns: 80, rows: 24)
        try terminal.wait(for: "not started")
        try workbook.waitForNextSuite()
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
    }

    @Test("When all katas are mastered there is a summary, and nothing is left to do")
    func summary() throws {
        let (workbook, terminal) = try terminalSession()
        try workbook.save(workbook.modelAnswer())
        try terminal.wait(for: "AsyncMerge · mastered")
        terminal.type("n")
        try terminal.wait(for: "Debouncer · not started")
        try workbook.save(workbook.modelAnswer(workbook.second), kata: workbook.second)
        try terminal.wait(for: "All katas are mastered.")
        #expect(terminal.screen.text.contains("Debouncer   mastered"))
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
    }
}
