import Foundation
import Reports
import Storage
import TerminalDriver
import TestSupport
import Testing
import Workbook

@testable import grader

/// Watch mode at a real terminal, from the first run to the end.
@Suite("Watch mode at a terminal", .grades)
struct WatchTests {
    struct Place: Sendable, CustomTestStringConvertible {
        var language: Language
        var columns: Int
        var rows: Int
        var testDescription: String { "\(language.code) at \(columns)x\(rows)" }
    }

    static let places = [
        Place(language: .english, columns: 80, rows: 24), Place(language: .korean, columns: 80, rows: 24),
        Place(language: .thai, columns: 80, rows: 24), Place(language: .english, columns: 40, rows: 24),
        Place(language: .korean, columns: 40, rows: 24), Place(language: .thai, columns: 40, rows: 24),
    ]

    @Test("First run, language, a failing save, a hint, a passing save, next, list, reset, quit", arguments: places)
    func wholeSession(place: Place) throws {
        let workbook = try WatchedWorkbook()
        let strings = try WatchStrings(place.language)
        let reports = try ReportStrings(place.language)
        let terminal = try workbook.open(columns: place.columns, rows: place.rows)

        try terminal.wait(for: Language.korean.ownName)
        #expect(terminal.screen.isAlternate)
        terminal.type("\((Language.allCases.firstIndex(of: place.language) ?? 0) + 1)")
        try terminal.wait(for: strings(.introTitle), anywhere: true)
        terminal.type("\r")
        try terminal.wait(for: reports(Verdict.Outcome.notStarted), anywhere: true)
        #expect(try workbook.progress().language == place.language)

        try workbook.save("let unfinished: Int =")
        try terminal.wait(for: reports(Verdict.Outcome.didNotCompile), anywhere: true)

        try workbook.save(workbook.mutant())
        try terminal.wait(for: "the mutant's verdict") {
            let shown = $0.text.filter { !$0.isWhitespace }
            return [Verdict.Outcome.failed, .passed].contains {
                shown.contains("·" + reports($0).filter { !$0.isWhitespace })
            }
        }
        terminal.type("h")
        try terminal.wait(for: reports(.hintHeading, 1, 3), anywhere: true)
        terminal.type("h")
        try terminal.wait(for: reports(.hintHeading, 2, 3), anywhere: true)
        #expect(try workbook.progress().katas[workbook.first]?.hintsShown.values.contains(2) == true)

        try workbook.save(workbook.modelAnswer())
        // The mutant passes the kata, and in Thai its verdict has the word alone: it says what mastering needs.
        try terminal.wait(for: "\(workbook.first) · \(reports(Verdict.Outcome.mastered))", anywhere: true)
        try terminal.wait(for: strings(.progress, 1, 2), anywhere: true)

        terminal.type("n")
        try terminal.wait(for: workbook.second)
        terminal.type("l")
        try terminal.wait(for: strings(.list), anywhere: true)
        terminal.type("k")
        try terminal.wait(for: "> ★ \(workbook.first)")
        terminal.type("x")
        try terminal.wait(for: strings(.askReset, .text(workbook.first), "y"), anywhere: true)
        terminal.type("y")
        try terminal.wait(for: ".grader/backups", anywhere: true)
        #expect(try workbook.text() == workbook.stub())

        #expect(terminal.screen.lines.allSatisfy { CellWidth.of($0) <= place.columns })
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
        #expect(!terminal.screen.isAlternate)
        #expect(terminal.screen.isCursorShown)
    }

    @Test("Ctrl-Z gives the terminal back to the shell, and after fg the screen is back")
    func suspended() throws {
        let workbook = try WatchedWorkbook(language: .english)
        let terminal = try workbook.open(columns: 80, rows: 24)
        try terminal.wait(for: "not started")
        terminal.type("\u{1A}")
        try terminal.untilStopped()
        try terminal.wait(for: "the terminal as it was") { !$0.isAlternate && $0.isCursorShown }
        #expect(terminal.isCooked)
        terminal.resume()
        try terminal.wait(for: "the screen again") { $0.isAlternate && $0.text.contains("not started") }
        terminal.type("\u{3}")
        #expect(try terminal.exitCode() == 0)
        #expect(!terminal.screen.isAlternate)
    }

    @Test("Another terminal size draws the screen again, and no line is wider")
    func resized() throws {
        let workbook = try WatchedWorkbook(language: .english)
        let terminal = try workbook.open(columns: 80, rows: 24)
        try terminal.wait(for: "not started")
        terminal.resize(columns: 40, rows: 12)
        try terminal.wait(for: "the whole screen at the new size") {
            $0.lines[0].contains(workbook.first) && $0.text.contains("q quit")
        }
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
    }

    @Test("A save that replaces the file with a new one is noticed, and so is one that writes twice")
    func editors() throws {
        let workbook = try WatchedWorkbook(language: .english)
        let terminal = try workbook.open(columns: 80, rows: 24)
        try terminal.wait(for: "not started")
        try workbook.replace("let first: Int =")
        try terminal.wait(for: "does not compile", anywhere: true)
        try workbook.save("")
        try workbook.save(workbook.modelAnswer())
        try terminal.wait(for: "mastered")
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
    }

    @Test("The program ends when its terminal is closed")
    func lost() throws {
        let workbook = try WatchedWorkbook(language: .english)
        let terminal = try workbook.open(columns: 80, rows: 24)
        try terminal.wait(for: "not started")
        terminal.signal(SIGHUP)
        #expect(try terminal.exitCode() == 0)
    }
}

extension PseudoTerminal {
    /// Waits for a text that may be wrapped: white space does not count.
    func wait(for text: String, anywhere: Bool) throws {
        let wanted = text.filter { !$0.isWhitespace }
        try wait(for: "“\(text)”") { $0.text.filter { !$0.isWhitespace }.contains(wanted) }
    }
}

/// A workbook of two katas, in a folder of its own, which is removed after the test.
final class WatchedWorkbook {
    let folder: URL
    let first: String
    let second: String
    private let repository: URL
    private let workbook: WorkbookFolder

    /// A declaration in the second kata's suite that was never compiled before.
    private let newDeclaration = "declaration\(UInt64.random(in: 0 ... .max))"

    /// - Parameter nextSuiteIsNew: whether the second kata's suite has to be compiled.
    init(language: Language? = nil, nextSuiteIsNew: Bool = false) throws {
        repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
        workbook = WorkbookFolder(folder)
        let katas = ["AsyncMerge", "Debouncer"]
        (first, second) = (katas[0], katas[1])
        for kata in katas {
            for part in ["Exercises/\(kata)", "Solutions/\(kata)", "Tests/\(kata)Tests"] {
                let target = folder.appendingPathComponent(part)
                try FileManager.default.createDirectory(
                    at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
                try FileManager.default.copyItem(at: repository.appendingPathComponent(part), to: target)
            }
            try Data(contentsOf: workbook.shippedStub(kata)).write(to: workbook.learnerFile(kata))
        }
        try FileManager.default.createDirectory(at: workbook.graderFolder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: cache, withDestinationURL: try TestCache.folder)
        if nextSuiteIsNew {
            let suite = workbook.suite(second).appendingPathComponent("New.swift")
            try Data("let \(newDeclaration) = 1\n".utf8).write(to: suite)
        }
        if let language {
            let store = ProgressStore(file: workbook.graderFolder.appendingPathComponent("progress.json"))
            _ = try store.update { $0.language = language }
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func open(columns: Int, rows: Int, environment: [String: String] = [:]) throws -> PseudoTerminal {
        let own = [
            "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
        ]
        return try PseudoTerminal(
            Program.buildFolder.appendingPathComponent("grader"), [],
            environment: own.merging(environment) { $1 },
            folder: folder, columns: columns, rows: rows)
    }

    func progress() throws -> LearnerProgress {
        try ProgressStore(file: workbook.graderFolder.appendingPathComponent("progress.json")).load().progress
    }

    func text() throws -> String { try String(contentsOf: workbook.learnerFile(first), encoding: .utf8) }
    func stub() throws -> String { try String(contentsOf: workbook.shippedStub(first), encoding: .utf8) }

    var file: URL { workbook.learnerFile(first) }

    private var cache: URL { workbook.graderFolder.appendingPathComponent("cache") }

    /// Waits until the second kata's suite is compiled and in the cache.
    func waitForNextSuite() throws {
        let folder = cache.resolvingSymlinksInPath()
        let changed = DispatchSemaphore(value: 0)
        let watch = FileWatch([folder]) { changed.signal() }
        defer { withExtendedLifetime(watch) {} }
        while true {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            for name in names where name.hasPrefix("suite-") {
                let object = folder.appendingPathComponent("\(name)/suite.o")
                let bytes = (try? Data(contentsOf: object)) ?? Data()
                if bytes.range(of: Data(newDeclaration.utf8)) != nil { return }
            }
            guard changed.wait(timeout: .now() + 120) == .success else {
                throw PseudoTerminal.Failure(description: "Expected the next kata's suite in the cache: \(names)")
            }
        }
    }

    func modelAnswer(_ kata: String? = nil) throws -> String {
        let kata = kata ?? first
        return try String(contentsOf: workbook.solution(kata).appendingPathComponent("\(kata).swift"), encoding: .utf8)
    }

    /// The wrong answer with this name.
    func mutant(_ name: String) throws -> String {
        let file = workbook.mutantFiles(first).first { $0.lastPathComponent.hasPrefix("\(name).") }
        return try #require(file.flatMap(workbook.answerText))
    }

    /// An answer whose tests end at their time limit, and not earlier.
    func endless() throws -> String {
        try String(contentsOf: workbook.shippedStub(first), encoding: .utf8)
            .replacingOccurrences(of: "throw NotWrittenYet()", with: "while true {}")
    }

    /// A wrong answer of the kind that learners give.
    func mutant() throws -> String {
        try #require(workbook.mutantFiles(first).lazy.compactMap(workbook.answerText).first)
    }

    /// Saves as an editor that writes in place.
    func save(_ text: String, kata: String? = nil) throws {
        let file = try FileHandle(forWritingTo: workbook.learnerFile(kata ?? first))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    /// Saves as an editor that writes a new file and gives it the old one's name.
    func replace(_ text: String) throws {
        try text.write(to: workbook.learnerFile(first), atomically: true, encoding: .utf8)
    }
}
