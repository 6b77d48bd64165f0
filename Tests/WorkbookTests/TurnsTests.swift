import Foundation
import Testing
import Workbook

/// Readers of each language have found turns that no native engineer writes. `Turns/<language>.tsv` lists them: the turn, what to
/// write in its place, and why.
@Suite("Turns that must not come back")
struct TurnsTests {
    private struct Turn {
        var text: String
        var advice: String

        init?(_ line: Substring) {
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 3, !fields[0].isEmpty else { return nil }
            text = fields[0]
            advice = "Write \(fields[1]). \(fields[2])"
        }
    }

    @Test("No text has one of them", arguments: Language.allCases)
    func none(language: Language) throws {
        let list = WorkbookTexts.root.appendingPathComponent("Tests/WorkbookTests/Turns/\(language.code).tsv")
        let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
        let turns = lines.compactMap(Turn.init)
        #expect(turns.count == lines.count && !turns.isEmpty, "Each line of \(list.path) has three fields.")
        let texts = try WorkbookTexts.all(in: language)
        #expect(texts.count > 100)
        for (place, text) in texts {
            for turn in turns where text.contains(turn.text) {
                Issue.record("\(place): “\(turn.text)”. \(turn.advice)")
            }
        }
    }

    @Test("A line of a Chinese page ends where a paragraph or an item ends")
    func chineseLines() throws {
        for (place, text) in try WorkbookTexts.all(in: .chinese) where place.hasSuffix(".md") {
            var isCode = false
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            for (line, next) in zip(lines, lines.dropFirst()) {
                if line.hasPrefix("```") { isCode.toggle() }
                guard !isCode, !line.isEmpty, !next.isEmpty, !line.hasPrefix("```") else { continue }
                let begins = next.prefixMatch(of: #/[-*#|>]|```|[0-9]+\./#) != nil
                #expect(
                    begins || line.hasPrefix("#") || line.hasPrefix("|"),
                    "\(place): “\(line)” goes on in the next line.")
            }
        }
    }

    @Test("Comments in code are translated", arguments: [Language.thai, .korean, .chinese])
    func comments(language: Language) throws {
        for (place, text) in try WorkbookTexts.all(in: language) where text.contains("```swift") {
            let code = text.components(separatedBy: "```").filter { $0.hasPrefix("swift\n") }.joined()
            for line in code.split(separator: "\n") {
                guard let comment = line.firstMatch(of: #/(?:^|\s)//\s*(.*)$/#)?.output.1 else { continue }
                // A comment that is code, or a name, is the same in every language.
                let isProse = comment.matches(of: #/[A-Za-z]{2,}/#).count > 2 && !comment.contains("(")
                #expect(!isProse || comment.contains { !$0.isASCII && $0.isLetter }, "\(place): “\(comment)”")
            }
        }
    }
}
