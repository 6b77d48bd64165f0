import Testing
import Workbook

@Suite struct SwiftTextTests {
    @Test func commentsAndStringsAreNoCode() {
        let text = SwiftText(
            #"let a = "b // c" // d"# + "\n/* e /* f */ g */let h = #\"i \" j\"#\n\"\"\"\nk \"l\"\n\"\"\"\nm\n")
        let lines = text.codeOnly.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0] == "let a = " + String(repeating: " ", count: 13))
        #expect(lines[1] == String(repeating: " ", count: 17) + "let h = " + String(repeating: " ", count: 9))
        #expect(lines.dropFirst(2) == ["   ", "     ", "   ", "m", ""])
    }

    @Test func anInterpolationMayHoldStrings() {
        let text = SwiftText(#"f("a \(g("b)")) c") + h"#)
        #expect(text.codeOnly == "f(" + String(repeating: " ", count: 16) + ") + h")
    }

    @Test func commentsGoAndAllElseStays() {
        #expect(SwiftText("a /* b */ c // d\ne \"// f\"").withoutComments == "a  c \ne \"// f\"")
    }

    @Test func whatHasNoEndEndsWithTheText() {
        #expect(SwiftText("a /* b").codeOnly == "a     ")
        #expect(SwiftText("a \"b\nc").codeOnly == "a   \nc")
        #expect(SwiftText("a \"\"\"b").codeOnly == "a     ")
    }
}
