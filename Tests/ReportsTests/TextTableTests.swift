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

    private var katas: TextTable {
        var table = TextTable([.leading, .leading, .trailing, .leading])
        table.add("+", "FirstValue", "12/18", "Exercises/FirstValue.swift")
        table.add("-", "Sink", "0/6", "Exercises/Sink.swift")
        return table
    }

    @Test("A path that has no room next to the other columns is below them")
    func pathBeneath() {
        #expect(katas.lines(columns: 80) == katas.lines())
        #expect(
            katas.lines(columns: 30) == [
                "+  FirstValue  12/18", "   Exercises/FirstValue.swift", "-  Sink          0/6",
                "   Exercises/Sink.swift",
            ])
    }

    @Test("If the other columns have no room either, each row is a paragraph")
    func paragraphs() {
        #expect(
            katas.lines(columns: 15) == [
                "+  FirstValue", "  12/18", "  Exercises/FirstValue.swift", "-  Sink  0/6", "  Exercises/Sink.swift",
            ])
    }

    @Test("Prose in the last column is wrapped in its column, if the column is wide enough to read")
    func prose() {
        var table = TextTable([.leading, .leading])
        table.add("  list", "Lists the katas and how far each is")
        table.add("  hint KATA", "Shows the next hint")
        #expect(
            table.lines(columns: 38) == [
                "  list       Lists the katas and how", "             far each is",
                "  hint KATA  Shows the next hint",
            ])
        #expect(table.lines(columns: 30).first == "  list")
    }

    @Test("No line ends with spaces, and color codes have no width")
    func edges() {
        let style = TextStyle(isColored: true, isUnicode: true)
        var table = TextTable([.leading, .leading])
        table.add(.init("a") { style.red($0) }, "long")
        table.add("bbb", "")
        #expect(table.lines() == ["\u{1B}[31ma\u{1B}[0m    long", "bbb"])
    }
}
