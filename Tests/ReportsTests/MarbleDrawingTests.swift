import Reports
import Testing
import Workbook

@Suite("A marble diagram")
struct MarbleDrawingTests {
    private let ascii = TextStyle(isColored: false, isUnicode: false)

    private func history(_ events: (Double, String)...) -> [Marbles.Event] {
        events.map { Marbles.Event(milliseconds: $0.0, label: $0.1) }
    }

    private func draw(
        input: [Marbles.Event]? = nil, _ expected: [Marbles.Event], _ actual: [Marbles.Event], columns: Int = 60,
        style: TextStyle? = nil
    ) -> MarbleDrawing {
        let marbles = Marbles(input: input, expected: expected, actual: actual)
        return MarbleDrawing(marbles, columns: columns, style: style ?? ascii)
    }

    @Test("Two histories share one axis, and the first difference is marked")
    func difference() {
        let drawing = draw(
            history((100, "1"), (300, "2"), (600, "|")), history((100, "1"), (300, "3"), (600, "|")))
        #expect(drawing.expected == "-1-2--|")
        #expect(drawing.actual == "-1-3--|")
        #expect(drawing.difference?.column == 3)
        #expect(drawing.difference?.milliseconds == 300)
    }

    @Test("The input is on the same axis, and is not a difference")
    func input() {
        let drawing = draw(
            input: history((0, "1"), (100, "2"), (400, "|")), history((300, "1"), (400, "2")),
            history((300, "1"), (500, "2")))
        #expect(drawing.input == "1-2-----|")
        #expect(drawing.expected == "------1-2--")
        #expect(drawing.actual == "------1---2")
        #expect(drawing.difference?.milliseconds == 400)
        #expect(draw(history((0, "1")), []).input == nil)
        #expect(draw(input: [], history((0, "1")), []).input == nil)
    }

    @Test("A missing event leaves an empty place, and the line continues")
    func missing() {
        let drawing = draw(history((0, "1"), (200, "2")), history((0, "1")))
        #expect(drawing.expected == "1-2")
        #expect(drawing.actual == "1--")
        #expect(drawing.difference?.column == 2)
    }

    @Test("Nothing is drawn after an end")
    func end() {
        let drawing = draw(history((100, "1"), (200, "|")), history((100, "x")))
        #expect(drawing.expected == "--1-|")
        #expect(drawing.actual == "--x")
        #expect(drawing.difference?.column == 2)
    }

    @Test("Events at one moment are in brackets")
    func together() {
        let drawing = draw(history((0, "1"), (0, "|")), history((0, "|"), (0, "1")))
        #expect(drawing.expected == "(1 |)")
        #expect(drawing.actual == "(| 1)")
        #expect(drawing.difference?.column == 0)
    }

    @Test("A label is cut only where it has to be")
    func labels() {
        let expected = history((90, "start"))
        let actual = history((90, "start"), (90, "cancelled"))
        #expect(draw(expected, actual, columns: 40).actual == "(start cancelled)")
        #expect(draw(expected, actual, columns: 20).actual.hasSuffix("~)"))
    }

    @Test("Equal histories have no difference")
    func equal() {
        #expect(draw(history((5, "a")), history((5, "a"))).difference == nil)
        #expect(draw([], []).expected == "")
    }

    @Test("With wide labels, the histories still share the axis")
    func wide() {
        let drawing = draw(history((0, "하나"), (100, "둘")), history((0, "일"), (100, "둘")))
        let places = [drawing.expected, drawing.actual].map { text in
            CellWidth.of(text[..<(text.firstIndex(of: "둘") ?? text.startIndex)])
        }
        #expect(places[0] == places[1])
    }

    @Test("With UTF-8 the line is drawn with line characters")
    func unicode() {
        let style = TextStyle(isColored: false, isUnicode: true)
        #expect(draw(history((100, "1"), (300, "2")), [], style: style).expected == "─1─2")
    }

    @Test("With many events, the drawing still fits and shows the first difference", arguments: [12, 20, 40, 80])
    func room(columns: Int) throws {
        let many = (0..<5000).map { Marbles.Event(milliseconds: Double($0 * 7), label: "value\($0)") }
        for place in [0, 1, 17, 2500, 4999] {
            var other = many
            other[place].label = "!"
            let drawing = draw(input: many, many, other, columns: columns)
            #expect(CellWidth.of(drawing.input ?? "") <= columns)
            #expect(CellWidth.of(drawing.expected) <= columns)
            #expect(CellWidth.of(drawing.actual) <= columns)
            let column = try #require(drawing.difference?.column)
            #expect(drawing.actual.dropFirst(column).first == "!")
        }
    }

    @Test("No time is too long to draw")
    func times() {
        let drawing = draw(history((0, "1"), (1e300, "2"), (.infinity, "3"), (.nan, "4")), history((-1e300, "5")))
        #expect(CellWidth.of(drawing.expected) <= 60)
        #expect(!drawing.expected.contains("4"))
    }

    @Test("A label cannot control the terminal")
    func control() {
        let drawing = draw(input: history((0, "\u{1B}[2J")), history((0, "\u{1B}[2J")), [])
        #expect(!drawing.expected.contains("\u{1B}"))
        #expect(drawing.input?.contains("\u{1B}") == false)
    }
}
