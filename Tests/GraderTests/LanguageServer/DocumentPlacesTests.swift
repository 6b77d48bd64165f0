import Testing

@testable import grader

@Suite("Places in bytes become places in UTF-16")
struct DocumentPlacesTests {
    private static func span(_ line: Int, _ from: Int, _ to: Int) -> DocumentPlaces.Span {
        .init(start: .init(line: line, character: from), end: .init(line: line, character: to))
    }

    @Test("A column counts bytes, a character counts UTF-16, and the word is the span")
    func columns() {
        // 🚀 has four bytes and two units, 한 has three bytes and one.
        let places = DocumentPlaces("let a = 1\r\n/* 🚀한 */ let name = b\rx\n")
        #expect(places.span(line: 1, column: 5) == Self.span(0, 4, 5))
        #expect(places.span(line: 2, column: 19) == Self.span(1, 14, 18))
        #expect(places.span(line: 3, column: 1) == Self.span(2, 0, 1))
        #expect(places.span(line: 2) == Self.span(1, 0, 22))
        #expect(places.all == .init(start: .init(line: 0, character: 0), end: .init(line: 3, character: 0)))
    }

    @Test("A place that the text does not have becomes the nearest one")
    func outside() {
        let places = DocumentPlaces("ab\n")
        #expect(places.span(line: 1, column: 90) == Self.span(0, 2, 2))
        #expect(places.span(line: 9, column: 3) == Self.span(1, 0, 0))
        #expect(DocumentPlaces("").span(line: 0, column: 0) == Self.span(0, 0, 0))
    }
}
