import Foundation
import Reports
import Testing
import Workbook

@testable import grader

@Suite("A verdict on its lines")
struct VerdictDiagnosticsTests {
    private static let stub = """
        public struct Box {
            public init() {}
            public func first() -> Int { 0 }
            public func second() -> Int { 0 }
        }

        """
    private static let text = """
        import Foundation

        public struct Box {
            public init() {}
            public func second() -> Int { 2 }
            /* 🚀 */ public func first() -> Int { 1 }
        }

        """

    private static func test(
        _ id: String, _ tier: KataTest.Tier = .core, after: [String] = [], parts: [String] = []
    ) -> KataTest {
        KataTest(id: id, framework: .testing, tier: tier, points: 1, hint: id, after: after, parts: parts)
    }

    private static let tests = [
        test("a", parts: ["first"]), test("b", after: ["a"], parts: ["second"]), test("c", after: ["b"]),
        test("d", .robust, parts: ["second"]),
    ]

    private static func items(
        _ verdicts: [TestVerdict], outcome: Verdict.Outcome = .failed, diagnostics: [Diagnostic] = []
    ) throws -> [VerdictDiagnostics.Item] {
        let kata = Kata(kata: "Box", order: 1, phase: 1, interface: [], tests: tests)
        let verdict = Verdict(
            kata: "Box", outcome: outcome, points: 0, maxPoints: 4, seconds: 0, diagnostics: diagnostics,
            tests: verdicts)
        let texts = try KataTexts(
            Data("{\"sourceLanguage\": \"en\", \"version\": \"1.0\", \"strings\": {}}".utf8), language: .english)
        return VerdictDiagnostics(
            LocalizedVerdict(verdict, kata: kata, texts: texts), text: text, parts: StubParts(Array(stub.utf8)),
            strings: try ReportStrings(.english)
        ).items
    }

    private static func span(_ line: Int, _ from: Int, _ to: Int) -> DocumentPlaces.Span {
        .init(start: .init(line: line, character: from), end: .init(line: line, character: to))
    }

    private static let first = span(5, 25, 30), second = span(4, 16, 22)

    @Test("A failure stands on the name of its part, with those that follow from it")
    func failures() throws {
        let items = try Self.items(["a", "b", "c", "d"].map { TestVerdict(id: $0, outcome: .failed, points: 0) })
        #expect(items.map(\.test) == ["a", "d"])
        #expect(items.map(\.span) == [Self.first, Self.second])
        #expect(items.map(\.severity) == [.error, .warning])
        // `c` names no part: it stands on the first name.
        #expect(items[0].related.map(\.message) == ["b", "c"])
        #expect(items[0].related.map(\.span) == [Self.second, Self.span(3, 11, 15)])
    }

    @Test("A part that is not written yet is no error")
    func unwritten() throws {
        var verdicts = ["a", "b", "c", "d"].map { TestVerdict(id: $0, outcome: .passed, points: 1) }
        verdicts[0] = TestVerdict(id: "a", outcome: .failed, points: 0, unwritten: ["first"])
        let items = try Self.items(verdicts)
        #expect(items.map(\.severity) == [.information])
    }

    @Test("A data race stands on its lines")
    func race() throws {
        var verdicts = ["a", "b", "c", "d"].map { TestVerdict(id: $0, outcome: .passed, points: 1) }
        verdicts[3] = TestVerdict(
            id: "d", outcome: .failed, points: 0,
            race: DataRace(lines: [
                .init(line: 5, does: .reads, code: "x"), .init(line: 6, does: .writes, code: "y"),
            ]))
        let items = try Self.items(verdicts, outcome: .passed)
        #expect(items.map(\.span) == [Self.span(4, 4, 37)])
        #expect(items[0].related.map(\.span) == [Self.span(5, 4, 45)])
    }

    @Test("The compiler's notes belong to its error")
    func compiler() throws {
        func diagnostic(_ severity: Diagnostic.Severity, _ line: Int, _ column: Int, _ text: String) -> Diagnostic {
            Diagnostic(
                severity: severity, file: "Box.swift", line: line, column: column,
                message: LocalizableMessage(.fileNotText, text))
        }
        let items = try Self.items(
            [], outcome: .didNotCompile,
            diagnostics: [
                diagnostic(.error, 6, 28, "a"), diagnostic(.note, 5, 17, "b"), diagnostic(.warning, 0, 0, "c"),
            ])
        #expect(items.map(\.span) == [Self.first, Self.span(0, 0, 17)])
        #expect(items.map(\.severity) == [.error, .warning])
        #expect(items[0].related.map(\.span) == [Self.second])
    }
}
