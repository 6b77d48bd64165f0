import Testing
import Workbook

@testable import grader

@Suite("What the language server says")
struct LanguageServerCatalogTests {
    @Test("The catalog has every sentence in six languages, and nothing else")
    func complete() throws {
        let review = try CatalogReview(
            contentsOf: LanguageServerKey.catalog,
            keys: Set(LanguageServerKey.allCases.map(\.rawValue)))
        #expect(review.findings == [])
    }
}
