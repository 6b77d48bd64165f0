import Foundation
import Reports
import Testing
import Workbook

@testable import grader

@Suite("What the command says")
struct MessagesTests {
    @Test("The catalog has every message in six languages, and nothing else")
    func complete() throws {
        let review = try CatalogReview(
            contentsOf: MessageKey.catalog, keys: Set(MessageKey.allCases.map(\.rawValue)))
        #expect(review.findings == [])
    }

    /// Prose in a literal: two words of letters with a space between them.
    private static func isProse(_ literal: Substring) -> Bool {
        // Text in angle brackets is markup; an interpolation is not part of the literal.
        literal.replacing(/<[a-z?\/][^>]*>?/, with: "").replacing(/\\\(.*\)/, with: "")
            .contains(/\p{L}{2,}[,:;.]? \p{L}{2,}/)
    }

    private static nonisolated(unsafe) let swiftCommand =  // a regex that is only read
        /swift (?:build|run grader(?: check \\\([\w.]+\))?|test --filter \\\([\w.]+\)Tests)/

    @Test("No sentence is in the source code instead of a catalog", arguments: ["grader", "Reports"])
    func nothingOutside(module: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let sources = root.appendingPathComponent("Sources/\(module)")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var looked = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            // Their literals are the code of shells, and the columns of platforms' tables.
            let others = ["CompletionCommand.swift", "MoodleMarks.swift", "CanvasMarks.swift", "Roster.swift"]
            guard !others.contains(file.lastPathComponent) else { continue }
            looked += 1
            for (number, line) in try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false
            ).enumerated() {
                let code = line.drop { $0 == " " }
                guard !code.hasPrefix("//") else { continue }
                for literal in code.matches(of: /"((?:[^"\\]|\\.)*)"/) {
                    // Shell commands and names of commands are not prose.
                    guard literal.output.1.wholeMatch(of: Self.swiftCommand) == nil,
                        Command(named: String(literal.output.1)) == nil
                    else { continue }
                    #expect(
                        !Self.isProse(literal.output.1), "\(file.lastPathComponent):\(number + 1): \(literal.output.0)")
                }
            }
        }
        #expect(looked > 3)
    }
}
