import Foundation
import TestSupport
import Testing
import Workbook

@testable import Grading

@Suite("A verdict says why a person should look at the code", .grades)
struct ReasonsToLookTests {
    static let root = ReasonToLook(LocalizableMessage(.lookCFunction, "sqrt"), line: 4)
    static let library = ReasonToLook(LocalizableMessage(.lookCModule, "Glibc"), line: 1)
    /// The function is called before it is used as a value, which is the same line for a person who looks.
    static let code = """
        import Glibc

        // sqrt
        let roots = [1.0, 4.0].map(sqrt)

        """

    @Test("C functions as values and the C library are told, change no points and no outcome, and survive the cache")
    func cached() async throws {
        var options = FixtureWorkbook.options()
        options.usesCache = true
        let text = try Self.code + FixtureWorkbook.answer() + "// \(UUID().uuidString)\n"
        for _ in 0..<2 {
            let verdict = try await FixtureWorkbook.grade(text, options: options)
            #expect(verdict.outcome == .mastered && verdict.points == verdict.maxPoints)
            #expect(verdict.reasonsToLook == [Self.library, Self.root])
        }
    }

    @Test("A call, and what the answer itself declares, is no reason")
    func calls() async throws {
        let text = """
            import Foundation
            func half(_ number: Double) -> Double { sqrt(number) / 2 }
            let halves = [1.0, 4.0].map(half) + [abs(-1.0)], absolutes = [-1, 2].map(abs)

            """
        let verdict = try await FixtureWorkbook.grade(text + FixtureWorkbook.answer())
        #expect(verdict.outcome == .mastered && verdict.reasonsToLook == nil, "\(verdict.summary)")
    }

    @Test("A submission that is rejected keeps them, also those that come with the rejection")
    func rejected() async throws {
        let text = try Self.code + "func stop() { abort() }\n" + FixtureWorkbook.answer()
        let verdict = try await FixtureWorkbook.grade(text)
        #expect(verdict.outcome == .rejected)
        #expect(verdict.reasonsToLook == [Self.library, Self.root])

        var rejection = Rejection(LocalizableMessage(.rejectedRecord))
        rejection.reasonsToLook = [Self.root, Self.library, Self.root]
        let submission = Submission(
            kata: try FixtureWorkbook.kata(), file: URL(fileURLWithPath: "/"), displayPath: "Tally.swift")
        #expect(
            try Verdict(submission, .failure(.rejected(rejection))).reasonsToLook == [Self.library, Self.root])
    }
}
