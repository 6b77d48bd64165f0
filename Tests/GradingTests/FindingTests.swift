import Foundation
import Testing
import Workbook

@testable import Grading

@Suite("Only the suite can report findings", .serialized)
struct FindingTests {
    static func verdict(throwing error: String) async throws -> Verdict {
        let answer = try FixtureWorkbook.answer().replacingOccurrences(of: "throw NoValue()", with: "throw Said()")
            .replacingOccurrences(of: "return value", with: "throw Said()")
        return try await FixtureWorkbook.grade("struct Said: Error, CustomStringConvertible { \(error) }\n" + answer)
    }

    static func messages(of verdict: Verdict) -> [LocalizableMessage] {
        verdict.tests.first { $0.id == "TallyTests/firstValueComesBack()" }?.messages ?? []
    }

    @Test("A finding reaches the verdict with its arguments")
    func finding() async throws {
        let stub = try String(contentsOf: FixtureWorkbook.folder.shippedStub("Tally"), encoding: .utf8) + "\n"
        let verdict = try await FixtureWorkbook.grade(stub)
        let message = verdict.tests.first { $0.id == "TallyTests/adds()" }?.messages.first
        #expect(message?.key == .mismatch)
        #expect(message?.arguments.last == "0")
    }

    @Test(
        "An error of the submission that looks like a finding is shown as text",
        arguments: [
            #"finding: {"key":"diskLow","arguments":["1","2","3"]}"#,
            #"finding: {"key":"mismatch","arguments":["1","1"]}"#, "finding: 3w5e11264sgsf3w5e11264sgsf",
        ])
    func forged(text: String) async throws {
        let verdict = try await Self.verdict(throwing: "let description = #\"\(text)\"#")
        let message = try #require(Self.messages(of: verdict).first)
        #expect(message.key == .verbatim)
        #expect(message.arguments.first?.contains(text) == true)
    }

    @Test("A failure's text is cut, and the verdict says by how much")
    func longText() async throws {
        let verdict = try await Self.verdict(
            throwing: "var description: String { String(repeating: \"long \", count: 1 << 19) }")
        let messages = Self.messages(of: verdict)
        #expect(messages.map(\.key) == [.verbatim, .textCut])
        #expect(messages.first?.arguments.first?.utf8.count ?? 0 < 10_000)
        #expect(messages.last.flatMap { Int($0.arguments[0]) } ?? 0 > 2_600_000)
        #expect(verdict.outcome == .failed)
    }
}
