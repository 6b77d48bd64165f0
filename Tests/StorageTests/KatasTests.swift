import Foundation
import Storage
import Testing
import Workbook

@Suite("The katas of this workbook")
struct KatasTests {
    static let workbook = WorkbookFolder(
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent())

    @Test("Each has its folders, and its name is theirs")
    func folders() throws {
        let katas = try Self.workbook.katas()
        #expect(!katas.isEmpty)
        #expect(Set(katas.map(\.order)).count == katas.count)
        for kata in katas {
            let manifest = Self.workbook.exercise(kata.kata).appendingPathComponent("kata.json")
            let named = try JSONDecoder().decode(Kata.self, from: Data(contentsOf: manifest))
            #expect(named == kata)
            for file in [
                Self.workbook.shippedStub(kata.kata),
                Self.workbook.solution(kata.kata).appendingPathComponent("\(kata.kata).swift"),
                Self.workbook.exercise(kata.kata).appendingPathComponent("README.md"),
                Self.workbook.suite(kata.kata),
            ] {
                #expect(FileManager.default.fileExists(atPath: file.path), "\(file.path)")
            }
        }
    }

    @Test("The tests of each are told once, in both tiers and both frameworks, and explain each other without a ring")
    func tests() throws {
        for kata in try Self.workbook.katas() {
            #expect(Set(kata.tests.map(\.id)).count == kata.tests.count)
            #expect(Set(kata.tests.map(\.tier)) == [.core, .robust])
            #expect(Set(kata.tests.map(\.framework)) == [.testing, .xctest])
            #expect(kata.tests.allSatisfy { $0.points > 0 })
            // Every test comes after those that explain it, so there can be no ring.
            var told: Set<String> = []
            for test in kata.tests {
                #expect(told.isSuperset(of: test.after), "\(test.id)")
                told.insert(test.id)
            }
        }
    }

    @Test("Every kata has its brief, and every test its title and its hints, in six languages")
    func languages() throws {
        for kata in try Self.workbook.katas() {
            let folder = Self.workbook.exercise(kata.kata)
            for language in Language.allCases {
                let brief = language == .english ? "README.md" : "README.\(language.code).md"
                #expect(
                    FileManager.default.fileExists(atPath: folder.appendingPathComponent(brief).path), "\(kata.kata)")
            }
            let own = Set(kata.tests.map(\.hint)).flatMap { hint in ["title", "1", "2", "3"].map { "\(hint).\($0)" } }
            // The levels that a chosen hint does not have are those of the test's own hint.
            let catalog = try StringCatalog(
                contentsOf: folder.appendingPathComponent("Hints.xcstrings"), language: .english)
            let chosen = Set(kata.tests.flatMap(\.hints).map(\.hint)).flatMap { hint in
                let levels = (1...3).map { "\(hint).\($0)" }.filter(catalog.has)
                #expect(!levels.isEmpty, "\(kata.kata): \(hint)")
                return levels
            }
            let keys = own + chosen
            let review = try CatalogReview(
                contentsOf: folder.appendingPathComponent("Hints.xcstrings"),
                keys: Set(keys + ["kata.achieved", "kata.mastering"]))
            #expect(review.findings == [], "\(kata.kata)")
        }
    }

    @Test("Each phase has its title in every language")
    func phases() throws {
        let keys = Set(try Self.workbook.katas().map { "phase.\($0.phase)" })
        #expect(try CatalogReview(contentsOf: Self.workbook.phases, keys: keys).findings == [])
    }
}
