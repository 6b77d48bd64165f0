import Foundation
import Testing
import Workbook

@Suite("A String Catalog")
struct StringCatalogTests {
    private static let catalog = """
        { "sourceLanguage": "en", "version": "1.0", "strings": {
            "greeting": { "localizations": {
                "en": { "stringUnit": { "state": "translated", "value": "Unknown command %1$@, not %2$@ (100%%)." } },
                "ko": { "stringUnit": { "state": "translated", "value": "%2$@ 말고 %1$@" } },
                "th": { "stringUnit": { "state": "needs_review", "value": "ยังไม่เสร็จ" } } } },
            "count": { "localizations": {
                "en": { "variations": { "plural": {
                    "one": { "stringUnit": { "state": "translated", "value": "%lld of %lld test passes" } },
                    "other": { "stringUnit": { "state": "translated", "value": "%lld of %lld tests pass" } } } } },
                "es": { "variations": { "plural": {
                    "one": { "stringUnit": { "state": "translated", "value": "Pasa %lld de los %lld tests" } },
                    "many": { "stringUnit": { "state": "translated", "value": "Pasan %lld de los %lld tests" } },
                    "other": { "stringUnit": { "state": "translated", "value": "Pasan %lld de los %lld tests" } } } } } } },
            "waited": { "localizations": {
                "en": { "variations": { "plural": {
                    "one": { "stringUnit": { "state": "translated", "value": "`%2$@` waited %1$lf second" } },
                    "other": { "stringUnit": { "state": "translated", "value": "`%2$@` waited %1$lf seconds" } } } } },
                "id": { "stringUnit": { "state": "translated", "value": "`%2$@` menunggu %1$lf detik" } } } },
            "bare": {}
        } }
        """

    private func strings(_ language: Language) throws -> StringCatalog {
        try StringCatalog(Data(Self.catalog.utf8), language: language)
    }

    @Test("Fills placeholders by position, and writes a percent sign once")
    func positions() throws {
        #expect(try strings(.english).text("greeting", ["chek", "check"]) == "Unknown command chek, not check (100%).")
        #expect(try strings(.korean).text("greeting", ["chek", "check"]) == "check 말고 chek")
    }

    @Test("Never fills a placeholder that is part of an argument")
    func arguments() throws {
        #expect(try strings(.korean).text("greeting", ["%2$@", "%lld"]) == "%lld 말고 %2$@")
    }

    @Test(
        "Uses the language's plural forms",
        arguments: [(0, "0 of 9 tests pass"), (1, "1 of 9 test passes"), (1200, "1,200 of 9 tests pass")])
    func plural(count: Int, text: String) throws {
        #expect(try strings(.english).text("count", [.integer(count), 9]) == text)
    }

    @Test("Spanish counts zero with the plural, and a million with many")
    func spanish() throws {
        #expect(try strings(.spanish).text("count", [0, 9]) == "Pasan 0 de los 9 tests")
        #expect(try strings(.spanish).text("count", [1, 9]) == "Pasa 1 de los 9 tests")
        #expect(Language.spanish.pluralCategory(of: 2_000_000) == .many)
        #expect(Language.spanish.pluralCategory(of: 0.6) == .other)
    }

    @Test("A number in a text argument is written as the language writes numbers, and decides the plural")
    func measure() throws {
        #expect(try strings(.english).text("waited", [.text("1"), .text("a()")]) == "`a()` waited 1 second")
        #expect(try strings(.english).text("waited", [.text("0.6"), .text("a()")]) == "`a()` waited 0.6 seconds")
        #expect(try strings(.indonesian).text("waited", [.decimal(0.6), .text("a()")]) == "`a()` menunggu 0,6 detik")
        #expect(try strings(.english).text("waited", [.text("soon"), .text("a()")]) == "`a()` waited soon seconds")
    }

    @Test("English replaces a missing or unfinished text, and the key replaces a text that no language has")
    func fallback() throws {
        let thai = try strings(.thai)
        #expect(thai.text("greeting", ["a", "b"]) == "Unknown command a, not b (100%).")
        #expect(thai.untranslated == ["greeting", "count", "waited", "bare"])
        #expect(thai.text("bare") == "bare")
        #expect(thai.text("absent") == "absent")
        #expect(try strings(.english).untranslated == ["bare"])
    }

    @Test("A percent sign that begins no placeholder is kept and reported")
    func malformed() {
        #expect(StringCatalog.Template("100% sure").isMalformed)
        #expect(StringCatalog.Template("%d").isMalformed)
        #expect(StringCatalog.Template("%0$@").isMalformed)
        #expect(!StringCatalog.Template("100%% %3$lf").isMalformed)
    }

    @Test(
        "A text that is not a catalog throws an error",
        arguments: ["", "{}", "[1]", "{\"sourceLanguage\":\"ko\",\"strings\":{}}"])
    func damaged(text: String) {
        #expect(throws: (any Error).self) { try StringCatalog(Data(text.utf8), language: .english) }
    }
}
