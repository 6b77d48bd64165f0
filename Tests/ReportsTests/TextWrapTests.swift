import Reports
import Testing
import Workbook

@Suite("Lines that are too long for the terminal")
struct TextWrapTests {
    @Test("English, Korean and Thai break at spaces")
    func spaces() {
        #expect(TextWrap.lines("one two three", columns: 8) == ["one two", "three"])
        #expect(TextWrap.lines("테스트가 다시 실행됩니다", columns: 14) == ["테스트가 다시", "실행됩니다"])
        #expect(TextWrap.lines("กด h เพื่อดู คำใบ้ถัดไป", columns: 12) == ["กด h เพื่อดู", "คำใบ้ถัดไป"])
    }

    @Test("Chinese breaks between letters, but no line begins with a closing mark")
    func chinese() {
        #expect(TextWrap.lines("保存文件，测试重新运行。", columns: 8) == ["保存文", "件，测试", "重新运", "行。"])
    }

    @Test("A continued line has the indent of the line that it continues")
    func indent() {
        #expect(TextWrap.lines("    one two three", columns: 12) == ["    one two", "    three"])
    }

    @Test("A continued list item is indented to the text after its mark")
    func marks() {
        #expect(TextWrap.lines("- one two three", columns: 9) == ["- one two", "  three"])
        let red = "\u{1B}[31m✗\u{1B}[0m"
        #expect(TextWrap.lines("\(red) one two three", columns: 9) == ["\(red) one two", "  three"])
        #expect(TextWrap.lines("-one two three", columns: 9) == ["-one two", "three"])
    }

    @Test("A comment goes on as a comment")
    func comments() {
        #expect(TextWrap.lines("    /// one two", columns: 12) == ["    /// one", "    /// two"])
        #expect(TextWrap.lines("// one two", columns: 8) == ["// one", "// two"])
    }

    @Test("A word that is longer than a line is cut between characters")
    func longWord() {
        #expect(TextWrap.lines("abcdefghijkl", columns: 5) == ["abcde", "fghij", "kl"])
        #expect(TextWrap.lines("in ab/cd/efg.swift", columns: 10) == ["in ab/cd/", "efg.swift"])
    }

    @Test("Code that is longer than a line is cut before a dot or behind a bracket, and a path between its folders")
    func longCode() {
        #expect(TextWrap.lines("receive(on:RunLoop.main)", columns: 20) == ["receive(on:RunLoop", ".main)"])
        #expect(
            TextWrap.lines("withCheckedContinuation(isolation:)", columns: 28) == [
                "withCheckedContinuation(", "isolation:)",
            ])
        #expect(TextWrap.lines("ab/cd/efghi.swift", columns: 12) == ["ab/cd/", "efghi.swift"])
    }

    @Test("Escape codes take no cells")
    func escapes() {
        let bold = "\u{1B}[1mone\u{1B}[0m"
        #expect(TextWrap.visibleWidth(bold) == 3)
        #expect(TextWrap.lines("\(bold) two", columns: 7) == ["\(bold) two"])
        let link = "\u{1B}]8;;file:///a\u{1B}\\a\u{1B}]8;;\u{1B}\\"
        #expect(TextWrap.visibleWidth(link) == 1)
    }

    @Test("No line is wider than the terminal, in any language", arguments: [12, 20, 40])
    func fits(columns: Int) {
        for text in [
            "Tes dijalankan lagi setelah file disimpan", "저장하면 테스트가 다시 실행됩니다.", "保存文件，测试就会重新运行。",
            "บันทึกไฟล์แล้วเทสต์จะรันใหม่ทันที",
        ] {
            for line in TextWrap.lines(text, columns: columns) { #expect(CellWidth.of(line) <= columns) }
        }
    }
}
