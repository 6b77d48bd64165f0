import Testing
import Workbook

@testable import grader

@Suite("What the watch screen says")
struct WatchCatalogTests {
    @Test("The catalog has every sentence in six languages, and nothing else")
    func complete() throws {
        let review = try CatalogReview(
            contentsOf: WatchKey.catalog, keys: Set(WatchKey.allCases.map(\.rawValue)))
        #expect(review.findings == [])
    }
}
