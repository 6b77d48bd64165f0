import Foundation
import TestSupport
import Testing
import Workbook

/// `--release`: what learners may see of their results.
@Suite("--release", .grades)
struct ReleaseTests {
    private let scratch: ScratchFolder
    private let workbook: SmallWorkbook

    init() throws {
        scratch = try ScratchFolder()
        workbook = try SmallWorkbook(at: scratch("workbook"))
        // The core test passes, and the robust one does not.
        try SmallClass(scratch("class")).add("ana", SmallWorkbook.passing)
    }

    private func grade(_ more: String...) async throws {
        let arguments = ["grade", scratch("class").path, "--report", scratch("report").path]
        let run = try await Program.run(arguments + more + Program.sandboxOption, in: workbook.folder)
        #expect(run.code == 0, "\(run.text)")
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: scratch("report/\(path)"), encoding: .utf8)
    }

    /// What each level adds: the robust test's title, what was found, its hints, and the suite's code.
    private static let additions = [
        "en stranger.title", "Hello, stranger", "en stranger.1", "en stranger.2", "en stranger.3",
        "XCTAssertEqual(greeting",
    ]

    @Test(
        "Learners' files have what the level shows and no more; the instructor's have everything",
        arguments: Release.Level.allCases)
    func levels(level: Release.Level) async throws {
        try await grade("--release", level.rawValue)
        let seen = Release.Level.allCases.firstIndex(of: level) ?? 0
        // Only Exercism's format has the code of tests.
        for (file, parts) in [
            ("pages/ana.html", 5), ("gradescope/ana.json", 5), ("junit/ana.xml", 5), ("exercism/ana/Greeting.json", 6),
        ] {
            let text = try text(file)
            for (index, addition) in Self.additions.prefix(parts).enumerated() {
                #expect(text.contains(addition) == (index < seen), "\(file): \(addition)")
            }
        }
        #expect(try text("gradescope/ana.json").contains("\"score\":60"))
        #expect(try text("gradebook.csv").contains("ana,60,100,passed,60"))
        for file in ["gradebook.html", "gradebook.json"] {
            let text = try text(file)
            #expect(text.contains("en stranger.title") && text.contains("Hello, stranger"), "\(file)")
        }
    }

    @Test("Each tier has a level of its own, which policy.json keeps; the points are the same")
    func tiers() async throws {
        try await grade("--release", "core=hint3,robust=points")
        #expect(try text("policy.json").contains("\"release\": \"core=hint3,robust=points\""))
        try await grade()
        for file in ["pages/ana.html", "gradescope/ana.json", "junit/ana.xml", "exercism/ana/Greeting.json"] {
            let text = try text(file)
            #expect(text.contains("en greets.title") && !text.contains("stranger"), "\(file)")
        }
        try await grade("--release", "everything")
        #expect(try text("pages/ana.html").contains("en stranger.3"))
    }

    @Test("One submission, as a platform's runner grades it, says no more than its level either")
    func submission() async throws {
        for (level, isShown) in [("titles", false), ("hint1", true)] {
            let run = try await Program.run(
                ["check", "--submission", scratch("class/ana").path, "--format", "gradescope", "--release", level]
                    + Program.sandboxOption, in: workbook.folder)
            #expect(run.output.contains("en stranger.title"), "\(run.text)")
            #expect(run.output.contains("en stranger.1") == isShown)
        }
        let alone = try await Program.run(["check", "--release", "titles"], in: workbook.folder)
        #expect(alone.code == 2 && alone.errors.contains("--submission"), "\(alone.text)")
        let unknown = try await Program.run(
            ["merge", "report", "--report", "merged", "--release", "core=hint3"], in: workbook.folder)
        #expect(unknown.code == 2 && unknown.errors.contains("core=hint3,robust=titles"), "\(unknown.text)")
    }
}
