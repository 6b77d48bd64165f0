import Reports
import Testing
import Workbook

@Suite("The texts of reports")
struct ReportsCatalogTests {
    @Test("The catalog has every message and every label in six languages, and nothing else")
    func complete() throws {
        let keys =
            LocalizableMessage.Key.allCases.map { "message." + $0.rawValue } + ReportKey.allCases.map(\.rawValue)
        let review = try CatalogReview(contentsOf: ReportKey.catalog, keys: Set(keys))
        #expect(review.findings == [])
    }

    @Test(
        "A message is a sentence with its arguments",
        arguments: [
            (Language.english, "Expected `3` but got `nil`."), (.indonesian, "Diharapkan `3`, tetapi hasilnya `nil`."),
            (.thai, "คาดว่าจะได้ `3` แต่ได้ `nil`"), (.spanish, "Se esperaba `3`, pero se obtuvo `nil`."),
            (.korean, "기댓값은 `3`인데, 실제 값은 `nil`입니다."), (.chinese, "预期得到 `3`，实际得到 `nil`。"),
        ])
    func message(language: Language, text: String) throws {
        #expect(try ReportStrings(language)(LocalizableMessage(.mismatch, "3", "nil")) == text)
    }

    @Test("A model answer that fails with a seed is tried again by a command that grades the model answer")
    func seed() throws {
        for language in Language.allCases {
            let message = LocalizableMessage(.answerNotMastered, "Solutions/A/A.swift", "2", "3", "7", "ATests/a()")
            #expect(try ReportStrings(language)(message).contains("`grader kata verify --seed 7 --runs 1`"))
        }
    }

    @Test("The seconds of a wait are written as the language writes numbers")
    func deadline() throws {
        #expect(try ReportStrings(.english)(LocalizableMessage(.timedOut, "1")).contains("1 second:"))
        #expect(try ReportStrings(.english)(LocalizableMessage(.timedOut, "0.6")).contains("0.6 seconds"))
        #expect(try ReportStrings(.indonesian)(LocalizableMessage(.timedOut, "0.6")).contains("0,6 detik"))
    }
}
