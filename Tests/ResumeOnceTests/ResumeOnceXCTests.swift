import KataSupport
import ResumeOnce
import XCTest

final class ResumeOnceXCTests: XCTestCase {
    func testAnErrorIsThrown() async throws {
        let result = try await KataSupport.result {
            try await answer { callback in callback(nil, KataSupport.Failure("offline")) }
        }
        try KataSupport.expect(result, throws: KataSupport.Failure("offline"))
    }
}
