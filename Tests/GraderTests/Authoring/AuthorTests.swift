import Foundation
import Storage
import TerminalDriver
import TestSupport
import Testing
import Workbook

@testable import grader

/// The page for authors, followed step by step: a new kata, in its own workbook that does not use Combine.
@Suite("An author writes a kata", .grades)
struct AuthorTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    /// The page's commands, in their order, without the text around them.
    private static func commands() throws -> [[String]] {
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let page = try String(contentsOf: root.appendingPathComponent("Exercises/README.md"), encoding: .utf8)
        let block = page.split(separator: "\n", omittingEmptySubsequences: false).drop {
            !$0.hasPrefix("    grader ")
        }
        .prefix { $0.hasPrefix("    grader ") }
        return block.map { line in
            line.components(separatedBy: "  ").first { !$0.isEmpty }?.split(separator: " ").dropFirst().map(String.init)
                ?? []
        }
    }

    private func grader(_ arguments: [String]) async throws -> Program.Run {
        try await Program.run(arguments, in: scratch.url)
    }

    private func verified(_ command: [String], _ more: String...) async throws -> (code: Int32, rules: [String]) {
        let run = try await grader(command + ["--json"] + more)
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        return (run.code, report.katas.flatMap(\.shortcomings).map(\.rule).sorted())
    }

    private struct Report: Decodable {
        struct Kata: Decodable { var shortcomings: [Shortcoming] }
        struct Shortcoming: Decodable { var rule: String }
        var katas: [Kata]
    }

    /// Saves in one step: a program that watches the file never finds half of it.
    private func change(_ path: String, _ change: (String) -> String) throws {
        let (file, draft) = (scratch(path), scratch("draft"))
        try Data(change(String(contentsOf: file, encoding: .utf8)).utf8).write(to: draft)
        try #require(rename(draft.path, file.path) == 0)
    }

    /// Another text around the same code and headings.
    private static func translated(_ brief: String) -> String {
        var isCode = false
        return brief.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("```") { isCode.toggle() }
            let isProse = !isCode && line.first.map { $0.isLetter || $0 == "-" } ?? false
            return isProse ? "\(line) *" : String(line)
        }.joined(separator: "\n")
    }

    /// Fills in what a new kata leaves open.
    private func finish() throws {
        let exercise = "katas/Exercises/Retry"
        try change("\(exercise)/Hints.xcstrings") { $0.replacing("\"new\"", with: "\"translated\"") }
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch(exercise).path)
        for brief in names where brief.hasSuffix(".md") {
            try change("\(exercise)/\(brief)") { text in
                let done = text.replacing(/<!-- TODO.*?-->\n\n/, with: "")
                return brief == "README.md" ? done : Self.translated(done)
            }
        }
        try change("katas/Tests/RetryTests/RetryTests.swift") { $0.replacing(/\/\/ TODO.*\n\n/, with: "") }
    }

    @Test("A kata is created, verified and handed out, and the submissions are graded")
    func story() async throws {
        let commands = try Self.commands()
        #expect(
            commands.map { $0.prefix(2).joined(separator: " ") } == [
                "kata new", "kata verify", "handout class", "grade submissions",
            ])
        // What was compiled for one workbook is used for this one too.
        try FileManager.default.createDirectory(at: scratch("katas/.grader"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: scratch("katas/.grader/cache"), withDestinationURL: try TestCache.folder)

        let made = try await grader(commands[0])
        #expect(made.code == 0, "\(made.text)")
        #expect(made.output.contains("kata verify Retry --watch --workbook katas"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch("katas").path).filter { $0 != ".grader" }
                .sorted()
                == [".gitignore", ".support", "Exercises", "Package.swift", "Solutions", "Tests"])
        #expect(
            try String(contentsOf: scratch("katas/.gitignore"), encoding: .utf8).split(separator: "\n").contains(
                ".grader"))
        #expect(try await grader(commands[0]).code == 2)

        // Exactly what is still to be done: texts to translate, tests to write.
        let fresh = try await verified(commands[1])
        #expect(fresh.code == 1)
        let others = Language.allCases.count - 1
        #expect(
            fresh.rules == [String](repeating: "textsNotTranslated", count: others)
                + [String](repeating: "toDo", count: others + 2))

        // A workbook says which languages it has; the others are shown in English.
        try change("katas/Exercises/languages.json") { _ in "[\"ko\"]" }
        #expect(try await verified(commands[1]).rules == ["textsNotTranslated", "toDo", "toDo", "toDo"])
        try change("katas/Exercises/languages.json") { _ in "[\"klingon\"]" }
        let unknown = try await grader(["kata", "verify", "--workbook", "katas", "--runs", "1", "--json"])
        #expect(unknown.code == 1 && unknown.output.contains("languagesUnreadable"))
        try change("katas/Exercises/languages.json") { _ in "[\"en\", \"es\", \"id\", \"ko\", \"th\", \"zh\"]" }

        try finish()
        let done = try await verified(commands[1])
        #expect(done.code == 0)
        #expect(done.rules == [])

        let handout = try await grader(commands[2])
        #expect(handout.code == 0, "\(handout.text)")
        let files = try #require(FileManager.default.enumerator(atPath: scratch("class").path)?.allObjects as? [String])
        #expect(
            Set(files.filter { $0.contains(".") && !$0.hasSuffix(".md") })
                == [".gitignore", "Package.swift", "Exercises/Retry/Retry.swift"])
        #expect(files.filter { $0.hasSuffix(".md") }.count == Language.allCases.count + 1)
        // A handout has no grader to run.
        let brief = try String(contentsOf: scratch("class/Exercises/Retry/README.ko.md"), encoding: .utf8)
        #expect(brief.contains("    swift build\n") && !brief.contains("swift run grader"))

        try FileManager.default.createDirectory(at: scratch("submissions"), withIntermediateDirectories: true)
        for learner in ["ann", "ben"] {
            try FileManager.default.copyItem(at: scratch("class"), to: scratch("submissions/\(learner)"))
        }
        let answer = try String(contentsOf: scratch("katas/Solutions/Retry/Retry.swift"), encoding: .utf8)
        try change("submissions/ann/Exercises/Retry/Retry.swift") { _ in answer }
        let graded = try await grader(commands[3] + Program.sandboxOption)
        #expect(graded.code == 0, "\(graded.text)")
        let book = try String(contentsOf: scratch("report/gradebook.csv"), encoding: .utf8)
        #expect(book.contains("ann,100,100,mastered") && book.contains("ben,0,100,not started"), "\(book)")
    }

    @Test("With --watch, each save is verified, also after one that nothing can be read of, until Ctrl-C")
    func watch() async throws {
        #expect(try await grader(["kata", "new", "Retry", "--in", "katas"]).code == 0)
        try FileManager.default.createDirectory(at: scratch("katas/.grader"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: scratch("katas/.grader/cache"), withDestinationURL: try TestCache.folder)
        try finish()
        let suite = "katas/Tests/RetryTests/RetryTests.swift"
        try change(suite) { $0 + "// TODO: one more test\n" }

        let terminal = try PseudoTerminal(
            Program.executable, ["kata", "verify", "--watch", "--workbook", "katas", "--runs", "2"],
            environment: Program.environment(), folder: scratch.url, columns: 120, rows: 60)
        // What a verification says, and then that it waits for the next save.
        func verified(_ count: Int, _ sentence: String) throws {
            try terminal.wait(for: "verification \(count) to say “\(sentence)”") { screen in
                let parts = screen.text.components(separatedBy: "Save a file to verify again. Ctrl-C ends.")
                return parts.count == count + 1 && parts[count - 1].contains(sentence)
            }
        }
        try verified(1, "RetryTests.swift")
        try change(suite) { $0.replacing("// TODO: one more test\n", with: "") }
        try verified(2, "Retry: everything holds")
        let manifest = try String(contentsOf: scratch("katas/Exercises/Retry/kata.json"), encoding: .utf8)
        try change("katas/Exercises/Retry/kata.json") { _ in "{" }
        try verified(3, "kata.json")
        try change("katas/Exercises/Retry/kata.json") { _ in manifest }
        try verified(4, "Retry: everything holds")
        terminal.type("\u{3}")
        #expect(try terminal.exitCode() == -SIGINT)
    }

    @Test("kata verify reports what is wrong with a broken kata, and kata new refuses a wrong name")
    func broken() async throws {
        #expect(try await grader(["kata", "new", "retry", "--in", "katas"]).code == 2)
        #expect(try await grader(["kata", "new", "Retry", "--in", "katas", "--phase", "3"]).code == 0)
        try FileManager.default.createDirectory(at: scratch("katas/.grader"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: scratch("katas/.grader/cache"), withDestinationURL: try TestCache.folder)
        try finish()
        let verify = ["kata", "verify", "--workbook", "katas", "--runs", "2"]

        // The stub is the answer, the answer is a mutant, a right answer does not compile, and a mutant is right.
        let folder = "katas/Tests/RetryTests/Mutants"
        let read = { (path: String) in try String(contentsOf: scratch(path), encoding: .utf8) }
        let answer = try read("katas/Solutions/Retry/Retry.swift")
        let mutant = try read("\(folder)/LastValue.swift")
        let stub = try read("katas/Exercises/Retry/Retry.swift")
        let wrongStub = answer.replacing("attempt > 1 {", with: "attempt > 1 {\n            let unused = 1")
        for path in ["Retry.swift", ".shipped/Retry.swift"] {
            try change("katas/Exercises/Retry/\(path)") { _ in wrongStub }
        }
        try change("katas/Solutions/Retry/Retry.swift") { _ in mutant }
        try change("\(folder)/RightWithRecursion.swift") { _ in "// right: broken\nlet x: Int = \"\"\n" + stub }
        try change("\(folder)/LastValue.swift") { _ in
            mutant.split(separator: "\n").prefix(3).joined(separator: "\n") + "\n" + answer
        }
        let found = try await verified(verify)
        #expect(found.code == 1)
        #expect(
            Set(found.rules) == [
                "answerFailsLess", "answerNotMastered", "answerNotRun", "answerWarnings", "hintNotReached",
                "stubPasses",
            ])

        // A test that is missing from kata.json is reported.
        try change("katas/Exercises/Retry/kata.json") {
            $0.replacing("theFirstValueCounts()", with: "theFirstCounts()")
        }
        #expect(try await verified(verify).rules.contains("testsNotInSuite"))
        let text = try await grader(verify)
        #expect(text.code == 1)
        #expect(
            text.output.contains("names tests that the suite") && text.output.contains("RetryTests/theFirstCounts()"))
        #expect(try await grader(["kata", "verify", "Retyr", "--workbook", "katas"]).code == 2)
        #expect(try await grader(["kata", "verify", "--workbook", "nowhere"]).code == 2)
    }
}
