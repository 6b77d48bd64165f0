import Testing

@testable import Grading

@Suite("What a test printed is kept up to a limit") struct TestOutputTests {
    private let text = Array("abcdefghijklmnopqrstuvwxyz".utf8)

    @Test("Its beginning and its end are kept, however large the pieces are", arguments: [1, 2, 3, 7, 26])
    func cut(pieceSize: Int) {
        var output = TestOutput(limit: 10)
        for start in stride(from: 0, to: text.count, by: pieceSize) {
            output.add(text[start..<min(start + pieceSize, text.count)])
        }
        #expect(output.bytes == Array("abcdevwxyz".utf8))
        #expect(output.cut == 16)
    }

    @Test("Nothing is left out of what does not reach the limit", arguments: [26, 27])
    func whole(limit: Int) {
        var output = TestOutput(limit: limit)
        for byte in text { output.add([byte]) }
        #expect(output.bytes == text)
        #expect(output.cut == 0)
    }

    @Test("A limit of zero keeps nothing, and counts all")
    func nothing() {
        var output = TestOutput(limit: 0)
        for byte in text { output.add([byte]) }
        #expect(output.bytes == [])
        #expect(output.cut == 26)
    }
}
