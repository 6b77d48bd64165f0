import Reports
import Testing
import Workbook

@Suite("What reports say")
struct ReportsCatalogTests {
    @Test("Every statement and every label is there in six languages, and nothing else is")
    func complete() throws {
        let keys = Statement.Key.allCases.map { "statement." + $0.rawValue } + ReportKey.allCases.map(\.rawValue)
        let review = try CatalogReview(contentsOf: ReportWords.reportsCatalog, keys: Set(keys))
        #expect(review.findings == [])
    }

    @Test(
        "A statement fills its sentence",
        arguments: [
            (Language.english, "Expected `3` but got `nil`."), (.indonesian, "Diharapkan `3`, tetapi hasilnya `nil`."),
            (.thai, "คาดว่าจะได้ `3` แต่ได้ `nil`"), (.spanish, "Se esperaba `3`, pero se obtuvo `nil`."),
            (.korean, "기댓값은 `3`인데, 실제 값은 `nil`입니다."), (.chinese, "预期得到 `3`，实际得到 `nil`。"),
        ])
    func statement(language: Language, text: String) throws {
        #expect(try ReportWords(language)(Statement(.mismatch, "3", "nil")) == text)
    }

    @Test("A wait is told in the language's own numbers")
    func deadline() throws {
        #expect(try ReportWords(.english)(Statement(.timedOut, "1")).contains("1 second:"))
        #expect(try ReportWords(.english)(Statement(.timedOut, "0.6")).contains("0.6 seconds"))
        #expect(try ReportWords(.indonesian)(Statement(.timedOut, "0.6")).contains("0,6 detik"))
    }
}
