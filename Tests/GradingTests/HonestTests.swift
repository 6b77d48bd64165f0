import Foundation
import TestSupport
import Testing
import Workbook

@testable import Grading

@Suite("Honest code is mastered, however odd it looks", .grades)
struct HonestTests {
    @Test("Honest", arguments: SubmissionFile.all(in: "Honest"))
    func honest(file: SubmissionFile) async throws {
        let verdict = try await FixtureWorkbook.grade(file.bytes)
        #expect(verdict.outcome == .mastered, "\(verdict.summary)")
    }
}
