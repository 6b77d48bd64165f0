import Testing
import Workbook

@Suite("How many cells a text takes")
struct CellWidthTests {
    @Test(
        "Scripts",
        arguments: [
            ("", 0), ("FirstValue", 10), ("día", 3), ("di\u{301}a", 3), ("카타", 4), ("练习", 4), ("，。", 4),
            ("แบบฝึกหัด", 7), ("ที่", 1), ("ไม่ผ่าน", 5), ("น้ำ", 2), ("ｶ", 1), ("Ａ", 2), ("…", 1), ("─│┌", 3),
        ])
    func script(text: String, cells: Int) {
        #expect(CellWidth.of(text) == cells)
    }

    @Test(
        "Emoji and their sequences",
        arguments: [
            ("🚀", 2), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🇰🇷", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("🏴‍☠️", 2), ("🫨", 2),
        ])
    func emoji(text: String, cells: Int) {
        #expect(CellWidth.of(text) == cells)
    }

    @Test("Hangul is two cells wide, composed or not")
    func hangul() {
        #expect(CellWidth.of("\u{1112}\u{1161}\u{11AB}") == 2)
        #expect(CellWidth.of("한") == 2)
    }

    @Test(
        "A character that is not printed takes no cell",
        arguments: ["\u{200B}", "\u{FEFF}", "\n", "\u{1B}", "\u{7F}", "\u{AD}"])
    func invisible(text: String) {
        #expect(CellWidth.of(text) == 0)
    }

    @Test("Padding fills a text up to a number of cells")
    func padding() {
        #expect("카타".padded(toCells: 6) == "카타  ")
        #expect("ที่".padded(toCells: 3) == "ที่  ")
        #expect("long enough".padded(toCells: 4) == "long enough")
    }

    @Test("A text that is cut never takes too many cells, and no character is cut in half")
    func truncation() {
        #expect("카타입니다".truncated(toCells: 6) == "카타…")
        #expect("카타입니다".truncated(toCells: 10) == "카타입니다")
        #expect("👩‍👩‍👧‍👦👩‍👩‍👧‍👦".truncated(toCells: 3) == "👩‍👩‍👧‍👦…")
        #expect("ไม่ผ่าน".truncated(toCells: 3) == "ไม่…")
        #expect("abc".truncated(toCells: 0) == "")
        for cells in 0...20 {
            #expect(CellWidth.of("한 test ที่ 练习 👍🏽 end".truncated(toCells: cells)) <= cells)
        }
    }
}
