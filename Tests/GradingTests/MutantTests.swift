import Foundation
import Storage
import TestSupport
import Testing
import Workbook

@testable import Grading

/// The katas of this workbook follow the rules, in a quick check. `.ci/run` has all of their answers graded.
@Suite(.grades) struct MutantTests {
    static let workbook = WorkbookFolder(containing: FixtureWorkbook.testFolder)
    static let katas: [Kata] = (try? workbook?.katas()) ?? []

    @Test func theKatasAgreeWithEachOther() throws {
        let manifests = try #require(Self.workbook).manifests()
        #expect(KataFiles.shortcomings(of: manifests) == [])
        #expect(!manifests.isEmpty)
    }

    @Test(arguments: katas.map(\.kata))
    func everythingHoldsOf(name: String) async throws {
        let kata = try #require(Self.katas.first { $0.kata == name })
        var options = KataVerification.Options()
        options.grading.cacheFolder = try TestCache.folder
        options.grading.usesCache = false
        // Other katas are checked meanwhile.
        options.grading.jobs = ProcessInfo.processInfo.activeProcessorCount
        options.runs = 1
        options.selection = .quick
        let verification = try KataVerification(workbook: try #require(Self.workbook), options: options)
        let found = try await verification.verify(kata).shortcomings
        #expect(found == [])
    }

    /// What this workbook promises for its katas, in addition to the rules for any kata.
    @Test(arguments: katas.map(\.kata))
    func thisWorkbooksKatasHaveMore(name: String) throws {
        let kata = try #require(Self.katas.first { $0.kata == name })
        let workbook = try #require(Self.workbook)
        let answers = KataFiles(kata, in: workbook).answers().answers
        #expect(answers.count { $0.kind == .mutant } >= 8, "It needs at least eight wrong answers.")
        #expect(answers.count { $0.kind == .right } >= 2, "It needs at least two right answers in other styles.")
        #expect(answers.contains { $0.isArticle }, "It needs the code of the usual guide.")
        #expect(Set(kata.tests.map(\.tier)) == [.core, .robust])
        #expect(Set(kata.tests.map(\.framework)) == [.testing, .xctest])
    }
}
