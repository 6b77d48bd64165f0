import Reports
import Testing

@Suite("A brief on a terminal")
struct BriefTextTests {
    let style = TextStyle(isColored: false, isUnicode: true)

    @Test("A paragraph is one line, wherever the file breaks it")
    func paragraphs() {
        #expect(BriefText.lines(of: "# Kata\n\nOne\ntwo.\n\nThree.\n", style: style) == ["One two.", "", "Three."])
    }

    @Test("Items of a list stay separate, each with all of its lines")
    func items() {
        #expect(
            BriefText.lines(of: "To do:\n- one,\n  and more;\n- two.", style: style)
                == ["To do:", "- one, and more;", "- two."])
    }

    @Test("Code keeps its lines")
    func code() {
        let text = "Write:\n\n```swift\nlet a = 1\n\n    let b = 2\n```\n\nDone."
        #expect(
            BriefText.lines(of: text, style: style)
                == ["Write:", "", "    let a = 1", "    ", "        let b = 2", "", "Done."])
    }

    @Test("A heading is bold")
    func headings() {
        let colored = TextStyle(isColored: true, isUnicode: true)
        #expect(BriefText.lines(of: "## What to write\n\nIt.", style: colored).first == colored.bold("What to write"))
    }

    @Test("An item that is broken continues under its text")
    func brokenItem() {
        #expect(TextWrap.lines("- one two three", columns: 9) == ["- one two", "  three"])
    }

    @Test("A section is found by its place in the English brief, whatever its heading says")
    func section() {
        let english = "# One\n\n## Passing\n\na\n\n## Mastering\n\nb\n"
        let korean = "# One\n\n## 통과하기\n\n가\n\n## 마스터하기\n\n나\n"
        let place = BriefText.place(of: "Mastering", in: english)
        #expect(place == 1)
        #expect(BriefText.text(korean, beforeSection: 1) == "# One\n\n## 통과하기\n\n가\n")
        #expect(BriefText.text(korean, beforeSection: 2) == nil)
        #expect(BriefText.place(of: "Gone", in: english) == nil)
    }
}
