import Reports
import Testing
import Workbook

@Suite("A table")
struct TextTableTests {
    @Test("Columns begin at the same cell in every script")
    func scripts() {
        var table = TextTable([.leading, .trailing, .leading])
        for name in ["카타", "练习", "แบบฝึกหัด", "Kata", "👍🏽"] { table.add(.init(name), "7", "end") }
        let places = table.lines().map { CellWidth.of($0[..<($0.firstIndex(of: "e") ?? $0.startIndex)]) }
        #expect(Set(places) == [12])
    }

    @Test("No line ends with spaces, and colors count for nothing")
    func edges() {
        let style = TextStyle(isColored: true, isUnicode: true)
        var table = TextTable([.leading, .leading])
        table.add(.init("a") { style.red($0) }, "long")
        table.add("bbb", "")
        #expect(table.lines() == ["\u{1B}[31ma\u{1B}[0m    long", "bbb"])
    }
}
