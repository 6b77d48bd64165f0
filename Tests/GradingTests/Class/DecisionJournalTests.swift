import Foundation
import Testing
import Workbook

@testable import Grading

@Suite("The journal of a class")
final class JournalTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("journal-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func verdict(_ number: Int) -> Verdict {
        let output = String(repeating: "line\n\u{2028}", count: number % 3)
        return Verdict(
            kata: "Map", outcome: .failed, points: number, maxPoints: 100, seconds: 0.5, diagnostics: [],
            tests: [TestVerdict(id: "t", outcome: .failed, points: 0, output: output)])
    }

    private var file: URL { folder.appendingPathComponent("decisions") }

    @Test("returns the verdicts that were written, also when it is opened again")
    func keeps() throws {
        do {
            let journal = try DecisionJournal(folder)
            for number in 0..<20 { try journal.keep(verdict(number), for: "key \(number)") }
            #expect(journal.verdict(for: "key 3") == verdict(3))
        }
        let again = try DecisionJournal(folder)
        #expect(again.count == 20)
        for number in 0..<20 { #expect(again.verdict(for: "key \(number)") == verdict(number)) }
        #expect(again.verdict(for: "other") == nil)
    }

    @Test("cut off at any byte, keeps every verdict before that byte and takes the next one")
    func torn() throws {
        do {
            let journal = try DecisionJournal(folder)
            for number in 0..<3 { try journal.keep(verdict(number), for: "key \(number)") }
        }
        let whole = try Data(contentsOf: file)
        let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        #expect(ends.count == 3)
        for length in Set(stride(from: 0, through: whole.count, by: 7)).union(ends).union(ends.map { $0 - 1 }).sorted()
        {
            try whole.prefix(length).write(to: file)
            do {
                let journal = try DecisionJournal(folder)
                #expect(journal.count == ends.count { $0 <= length }, "cut at \(length)")
                try journal.keep(verdict(9), for: "next")
            }
            #expect(try DecisionJournal(folder).verdict(for: "next") == verdict(9), "cut at \(length)")
        }
    }

    @Test("ignores a line that was changed")
    func damaged() throws {
        do {
            let journal = try DecisionJournal(folder)
            for number in 0..<3 { try journal.keep(verdict(number), for: "key \(number)") }
        }
        var bytes = try Data(contentsOf: file)
        let second = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 40
        bytes[second] ^= 1
        try bytes.write(to: file)
        #expect(try DecisionJournal(folder).count == 1)
    }
}
