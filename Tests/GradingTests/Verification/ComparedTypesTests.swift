import Foundation
import Storage
import TestSupport
import Testing
import Workbook

@testable import Grading

@Suite("A suite does not compare values by an == that learners write", .grades)
struct ComparedTypesTests {
    @Test(
        "The object of a suite shows which types it compares",
        arguments: [
            ("$s5Tally5PlainOSQAAMc", "Plain"),  // protocol conformance descriptor for Tally.Plain : Swift.Equatable
            ("$s5Tally4PairVSHAAMc", "Pair"),  // … for Tally.Pair : Swift.Hashable
            ("$s5Tally5OrderVSLAAMc", "Order"),  // … for Tally.Order : Swift.Comparable
            ("$s5Tally4PairV5InnerOSQAAMc", "Pair.Inner"),
            ("$s5Tally3BoxVyxGSQAASQRzrlMc", "Box"),  // … for < where A: Swift.Equatable> Tally.Box<A>
            ("$s5Tally3RefC2eeoiySbAC_ACtFZ", "Ref"),  // static Tally.Ref.== infix(Tally.Ref, Tally.Ref) -> Swift.Bool
            ("$s5Tally3BoxVAASQRzrlE2eeoiySbACyxG_AEtFZ", "Box"),
            ("$s5Tally2eeoiySbAA3NotV_ADtF", "Not"),  // Tally.== infix(Tally.Not, Tally.Not) -> Swift.Bool
            ("$s5Tally5OrderV1loiySbAC_ACtFZ", "Order"),  // static Tally.Order.< infix(Tally.Order, Tally.Order)
            ("$s5Tally4PairV9hashValueSivg", "Pair"),
        ])
    func compared(symbol: String, type: String) {
        #expect(ComparedTypes.names(in: [symbol], of: "Tally") == [type])
    }

    @Test(
        "What a suite needs otherwise is no comparison",
        arguments: [
            "$s5Tally3BoxVMn", "$s5Tally4PairV1aSivg", "$s5Tally5PlainO1ayA2CmFWC", "memcmp",
            "$sSi2eeoiySbSi_SitFZ",  // static Swift.Int.== infix(Swift.Int, Swift.Int) -> Swift.Bool
            "$s10FirstValue0aB5ErrorOSQAAMc",  // of another kata
        ])
    func others(symbol: String) {
        #expect(ComparedTypes.names(in: [symbol], of: "Tally") == [])
    }

    /// The shortcomings of the fixture's kata, with an error that has an `==` and with a suite that is changed.
    private static func shortcomings(comparing comparison: String) async throws -> [LocalizableMessage] {
        let scratch = try ScratchFolder()
        let folder = scratch("workbook")
        try FileManager.default.copyItem(at: FixtureWorkbook.folder.url, to: folder)
        func change(_ path: String, _ old: String, _ new: String) throws {
            let file = folder.appendingPathComponent(path)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains(old))
            try Data(text.replacing(old, with: new).utf8).write(to: file)
        }
        try change("Solutions/Tally/Tally.swift", "struct NoValue: Error {", "struct NoValue: Error, Equatable {")
        try change(
            "Tests/TallyTests/TallyTests.swift", "await #expect(throws: NoValue.self) {",
            "let result = try await result {")
        try change(
            "Tests/TallyTests/TallyTests.swift", "{ $0.finish() }) }\n        }",
            "{ $0.finish() }) }\n        }\n        \(comparison)")
        let workbook = WorkbookFolder(folder)
        var options = KataVerification.Options()
        options.grading = FixtureWorkbook.options()
        options.runs = 1
        options.selection = .quick
        let kata = try #require(try workbook.katas().first)
        let found = try await KataVerification(workbook: workbook, options: options).verify(kata)
        #expect(!found.shortcomings.contains { $0.message.key == .answerNotMastered })
        return found.shortcomings.map(\.message).filter { $0.key == .suiteComparesOwnTypes }
    }

    @Test(
        "A suite that compares an error by its == falls short",
        arguments: [
            "try expect(result, throws: NoValue())",
            "#expect((result.mapError { $0 as! NoValue }) == .failure(NoValue()))",
            "if case .failure(let error) = result { #expect([error as? NoValue].contains(NoValue())) }",
        ])
    func ownEquality(comparison: String) async throws {
        #expect(
            try await Self.shortcomings(comparing: comparison)
                == [LocalizableMessage(.suiteComparesOwnTypes, "NoValue")])
    }

    @Test("A suite that looks at the error itself does not")
    func parts() async throws {
        #expect(try await Self.shortcomings(comparing: "try expect(result, throws: NoValue()) { $0 is NoValue }") == [])
    }
}
