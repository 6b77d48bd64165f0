import Foundation
import Storage
import TestSupport
import Testing
import Workbook

@testable import Grading

/// The katas of this workbook follow the rules as they are shipped, whatever a learner has written since, in a quick check.
/// `.ci/run` has all of their answers graded.
@Suite(.grades) struct MutantTests {
    static let workbook = WorkbookFolder(containing: FixtureWorkbook.testFolder)
    static let katas: [Kata] = (try? workbook?.katas()) ?? []

    @Test func theKatasAgreeWithEachOther() throws {
        let workbook = try #require(Self.workbook)
        let (manifests, rules) = (try workbook.manifests(), RuleCatalog(workbook.rules))
        #expect(KataFiles.shortcomings(of: manifests, rules: rules.names) + rules.shortcomings == [])
        #expect(!manifests.isEmpty)
    }

    @Test(arguments: katas.map(\.kata))
    func everythingHoldsOf(name: String) async throws {
        let kata = try #require(Self.katas.first { $0.kata == name })
        #expect(try await Self.shortcomings(of: kata, in: try #require(Self.workbook)) == [])
    }

    private static func shortcomings(of kata: Kata, in workbook: WorkbookFolder) async throws -> [Shortcoming] {
        var options = KataVerification.Options()
        options.grading.cacheFolder = try TestCache.folder
        options.grading.usesCache = false
        // Other katas are checked meanwhile.
        options.grading.jobs = ProcessInfo.processInfo.activeProcessorCount
        options.runs = 1
        options.selection = .quick
        options.isAsShipped = true
        return try await KataVerification(workbook: workbook, options: options).verify(kata).shortcomings
    }

    @Test func whatALearnerHasWrittenIsNoShortcoming() async throws {
        let kata = try #require(Self.katas.first)
        let repository = try #require(Self.workbook)
        let scratch = try ScratchFolder()
        let workbook = WorkbookFolder(scratch.url)
        for folder in ["Exercises", "Solutions", "Tests"] {
            try FileManager.default.createDirectory(at: scratch(folder), withIntermediateDirectories: true)
        }
        let copied: [(WorkbookFolder) -> URL] = [
            { $0.phases }, { $0.exercise(kata.kata) }, { $0.solution(kata.kata) }, { $0.suite(kata.kata) },
        ]
        for url in copied { try FileManager.default.copyItem(at: url(repository), to: url(workbook)) }
        for text in [
            try String(contentsOf: workbook.modelAnswer(kata.kata), encoding: .utf8), "let other = 1", "func {",
        ] {
            try Data(text.utf8).write(to: workbook.learnerFile(kata.kata))
            // An author is told of it.
            #expect(KataFiles(kata, in: workbook).shortcomingsOfFiles().map(\.message.key) == [.stubNotShipped])
        }
        #expect(try await Self.shortcomings(of: kata, in: workbook) == [])
    }

    /// What this workbook promises for its katas, in addition to the rules for any kata. A warm-up has one idea and few tests.
    @Test(arguments: katas.map(\.kata))
    func thisWorkbooksKatasHaveMore(name: String) throws {
        let kata = try #require(Self.katas.first { $0.kata == name })
        let workbook = try #require(Self.workbook)
        let answers = KataFiles(kata, in: workbook).answers().answers
        let (wrong, right) = (answers.count { $0.kind == .mutant }, answers.count { $0.kind == .right })
        #expect(Set(kata.tests.map(\.framework)) == [.testing, .xctest])
        if kata.warmUp {
            #expect(wrong >= 2 && right >= 1, "It needs two wrong answers, and a right one in another style.")
            #expect((2...4).contains(kata.tests.count))
            return
        }
        #expect(wrong >= 8, "It needs at least eight wrong answers.")
        #expect(right >= 2, "It needs at least two right answers in other styles.")
        #expect(answers.contains { $0.isArticle }, "It needs the code of the usual guide.")
        #expect(Set(kata.tests.map(\.tier)) == [.core, .robust])
    }
}
