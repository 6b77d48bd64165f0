import Testing
import Workbook

@Suite("How a language writes numbers")
struct NumberStyleTests {
    @Test(
        "A decimal",
        arguments: [
            (Language.english, 1234.5, "1,234.5"), (.indonesian, 1234.5, "1.234,5"), (.spanish, 1234.5, "1234,5"),
            (.spanish, 12345.5, "12.345,5"), (.thai, 1234.5, "1,234.5"), (.korean, 0.6, "0.6"), (.chinese, 2, "2"),
            (.english, -0.001, "0"), (.english, -1234567, "-1,234,567"), (.english, 0.1 + 0.2, "0.3"),
            (.english, 1e300, "1e+300"), (.english, .nan, "nan"), (.english, 1.005, "1"),
        ])
    func decimal(language: Language, value: Double, text: String) {
        #expect(NumberStyle(language).decimal(value) == text)
    }

    @Test("A whole number", arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_000_000, "-1,000,000")])
    func integer(value: Int, text: String) {
        #expect(NumberStyle(.english).integer(value) == text)
        #expect(NumberStyle(.english).integer(.min) == "-9,223,372,036,854,775,808")
    }

    @Test(
        "A span of time",
        arguments: [
            (Language.english, "0.6 s", "300 ms"), (.indonesian, "0,6 detik", "300 ms"),
            (.thai, "0.6 วินาที", "300 มิลลิวินาที"), (.spanish, "0,6 s", "300 ms"), (.korean, "0.6초", "300ms"),
            (.chinese, "0.6 秒", "300 毫秒"),
        ])
    func time(language: Language, seconds: String, milliseconds: String) {
        #expect(NumberStyle(language).seconds(0.6) == seconds)
        #expect(NumberStyle(language).moment(milliseconds: 300) == milliseconds)
    }

    @Test("A late moment on an axis is written in seconds")
    func lateMoment() {
        #expect(NumberStyle(.english).moment(milliseconds: 9_999) == "9,999 ms")
        #expect(NumberStyle(.english).moment(milliseconds: 90_000) == "90 s")
    }

    @Test("A percentage")
    func percent() {
        #expect(NumberStyle(.english).percent(0.871) == "87%")
        #expect(NumberStyle(.spanish).percent(0.871) == "87\u{A0}%")
    }
}
