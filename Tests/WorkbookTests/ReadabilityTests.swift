import Foundation
import Testing
import Workbook

@Suite("How much a reader has to read at once")
struct ReadabilityTests {
    /// Thai ends no sentence with a sign, so it is read by people only.
    @Test(
        "A second hint says the cause, the symptom, and stops: three sentences at most",
        arguments: Language.allCases.filter { $0 != .thai })
    func secondHints(language: Language) throws {
        let hints = try WorkbookTexts.all(in: language).filter { $0.place.hasSuffix(".2") }
        #expect(hints.count > 700)
        for (place, text) in hints {
            let sentences = Prose(text).sentences
            #expect(sentences.count <= 3, "\(place): \(sentences)")
        }
    }

    /// The grade is printed and not expected: a formula that counts syllables is a measure for writers, and no judge of a text.
    @Test("The US school grade of the English, by Flesch and Kincaid")
    func grade() throws {
        let texts = try WorkbookTexts.all(in: .english)
        let kinds: [(String, (String) -> Bool)] = [
            ("first hints", { $0.hasSuffix(".1") }), ("second hints", { $0.hasSuffix(".2") }),
            ("titles", { $0.hasSuffix(".title") }), ("briefs", { $0.hasSuffix("README.md") }),
            ("interview answers", { $0.hasSuffix("Interview.md") }), ("messages", { $0.hasPrefix("Sources/") }),
            ("all", { _ in true }),
        ]
        for (kind, belongs) in kinds {
            let prose = texts.filter { belongs($0.place) }.map { Prose($0.text) }
            let grade = try #require(Prose.grade(prose), "Expected texts of the kind “\(kind)”.")
            print("English, \(kind): grade \(String(format: "%.1f", grade))")
        }
    }

    @Test("Code is no prose, and a sentence ends where its sign stands")
    func prose() {
        let text = Prose("Look at `a.b()`. Who cancels?\n```swift\nlet a = 1. // no\n```\n- 那么 `x`。它停止了吗？对")
        #expect(text.sentences.count == 5)
        #expect(Prose.syllables(in: "cancellation") == 4)
        #expect(Prose.syllables(in: "code") == 1)
    }
}

/// A text without its code.
private struct Prose {
    let sentences: [String]

    init(_ text: String) {
        let parts = text.components(separatedBy: "```")
        let prose = stride(from: 0, to: parts.count, by: 2).map { parts[$0] }.joined(separator: "\n\n")
            .replacing(#/`[^`]*`/#, with: "code").replacing(#/\]\([^)]*\)/#, with: "]")
        let end = #/([.!?])(?=\s|$)|([。？！])|\n\s*(?=\n|[-*#|>]|[0-9]+\.\s)/#
        let ends = prose.replacing(end, with: { "\($0.output.0)\u{0}" })
        sentences = ends.split(separator: "\u{0}").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { $0.contains(where: \.isLetter) }
    }

    private var words: [Substring] { sentences.flatMap { $0.matches(of: #/[A-Za-z’']+/#).map(\.output) } }

    static func grade(_ texts: [Prose]) -> Double? {
        let (sentences, words) = (texts.reduce(0) { $0 + $1.sentences.count }, texts.flatMap(\.words))
        guard sentences > 0, !words.isEmpty else { return nil }
        let syllables = words.reduce(0) { $0 + Self.syllables(in: $1) }
        return 0.39 * Double(words.count) / Double(sentences) + 11.8 * Double(syllables) / Double(words.count) - 15.59
    }

    /// Groups of vowels, without a silent e.
    static func syllables(in word: some StringProtocol) -> Int {
        let word = word.lowercased()
        let groups = word.matches(of: #/[aeiouy]+/#).count
        let silent = word.hasSuffix("e") && !word.hasSuffix("le") || word.hasSuffix("ed") && !word.hasSuffix("ted")
        return max(1, groups - (silent ? 1 : 0))
    }
}
