import Testing
import Workbook

@testable import grader

@Suite("What the watch screen says")
struct WatchCatalogTests {
    @Test("Every sentence is there in six languages, and nothing else is")
    func complete() throws {
        let review = try CatalogReview(
            contentsOf: WatchStrings.watchCatalog, keys: Set(WatchKey.allCases.map(\.rawValue)))
        #expect(review.findings == [])
    }
}
