import Foundation
import TestSupport
import Testing
import Workbook

@testable import Grading

@Suite("A submission becomes a verdict", .grades)
struct VerdictTests {
    @Test("The model answer is mastered")
    func answer() async throws {
        let verdict = try await FixtureWorkbook.grade(FixtureWorkbook.answer())
        #expect(verdict.outcome == .mastered, "\(verdict.summary)")
        #expect(verdict.points == verdict.maxPoints)
    }
}
