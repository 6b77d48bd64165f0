import Foundation
import Storage
import TerminalDriver
import TestSupport
import Testing
import Workbook

/// The seed is drawn once and remembered, so a learner sees the same values again with every command that grades.
@Suite("The seed of a workbook", .grades)
struct WorkbookSeedTests {
    private let folder: ScratchFolder
    private let workbook: SmallWorkbook

    init() throws {
        folder = try ScratchFolder()
        workbook = try SmallWorkbook(at: folder.url, katas: ["Seeded"])
        // A suite that asks for the seed itself: only an answer that knows it passes.
        let suite = """
            import Foundation
            import Seeded
            import Testing

            @Suite struct SeededTests {
                @Test func greets() {
                    #expect(greeting("Ann") == "seed \\(ProcessInfo.processInfo.environment["KATA_SEED"] ?? "none")")
                }
            }

            """
        let file = WorkbookFolder(workbook.folder).suite("Seeded").appendingPathComponent("SeededTests.swift")
        try Data(suite.utf8).write(to: file)
        try ProgressStore(file: progress).update { $0.language = .english }
    }

    private var progress: URL { workbook.folder.appendingPathComponent(".grader/progress.json") }

    private func learn(_ greeting: String) throws {
        try workbook.learn(
            "Seeded", SmallWorkbook.answer.replacing("Hello, \\(name.isEmpty ? \"stranger\" : name)", with: greeting))
    }

    /// Watches, saves a wrong answer, and gives the seed that the screen shows.
    private func seedSeenWhileWatching(_ wrong: String) throws -> String {
        try learn(wrong)
        let terminal = try PseudoTerminal(
            Program.executable, ["watch"], environment: Program.environment(), folder: workbook.folder, columns: 120,
            rows: 40)
        var seed = ""
        try terminal.wait(for: "the seed in the answer's place") { screen in
            guard screen.text.contains(wrong), let found = screen.text.firstMatch(of: /seed ([0-9]+)/) else {
                return false
            }
            seed = String(found.1)
            return true
        }
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
        return seed
    }

    @Test("is the same while watching, watching again, asking for a hint and checking")
    func isTheSameEverywhere() async throws {
        let seed = try seedSeenWhileWatching("first try")
        #expect(try seedSeenWhileWatching("second try") == seed)

        try learn("\\(name.isEmpty ? \"Hello, stranger\" : \"seed \(seed)\")")
        let hint = try await Program.run(["hint", "Seeded", "--json"], in: workbook.folder)
        #expect(hint.output.contains("\"outcome\" : \"mastered\""), "\(hint)")
        let check = try await Program.run(["check", "--json"], in: workbook.folder)
        #expect(check.output.contains("\"seed\" : \(seed)"), "\(check)")
        #expect(check.code == 0)
    }
}
