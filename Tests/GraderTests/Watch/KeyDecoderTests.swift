import Testing

@testable import grader

@Suite("Keys from what a terminal sends")
struct KeyDecoderTests {
    private func keys(_ chunks: String...) -> [Key] {
        var decoder = KeyDecoder()
        return chunks.flatMap { decoder.decode($0.utf8) }
    }

    @Test("Letters are letters")
    func letters() {
        #expect(keys("nq") == [.letter("n"), .letter("q")])
    }

    @Test("Arrows, in both forms that terminals use")
    func arrows() {
        #expect(keys("\u{1B}[A\u{1B}[B", "\u{1B}OC") == [.up, .down, .right])
    }

    @Test("Page and end keys")
    func paging() {
        #expect(keys("\u{1B}[5~\u{1B}[6~\u{1B}[1~\u{1B}[F") == [.pageUp, .pageDown, .home, .end])
    }

    @Test("An escape alone is a key; an escape that begins a sequence is not")
    func escape() {
        #expect(keys("\u{1B}") == [.escape])
        #expect(keys("\u{1B}", "q") == [.escape, .letter("q")])
    }

    @Test("A sequence that arrives in two pieces is one key")
    func pieces() {
        #expect(keys("\u{1B}[", "A") == [.up])
        var decoder = KeyDecoder()
        #expect(decoder.decode([0xE3, 0x85]).isEmpty)
        #expect(decoder.decode([0x9C]) == [.letter("n")])
    }

    @Test(
        "A key gives its Latin letter with every keyboard layout",
        arguments: [("ㅗ", "h"), ("ㅂ", "q"), ("้", "h"), ("ๆ", "q")])
    func otherLayouts(typed: String, latin: Character) {
        #expect(keys(typed) == [.letter(latin)])
    }

    @Test("In text, a letter is the one that was typed")
    func text() {
        var decoder = KeyDecoder()
        decoder.take("ㅗ้\u{1B}[Aq".utf8)
        var keys: [Key] = []
        while let key = decoder.next(asText: true) { keys.append(key) }
        #expect(keys == [.letter("ㅗ"), .letter("\u{E49}"), .up, .letter("q")])
    }

    @Test("A sequence without a use is ignored, and the keys after it count")
    func unknown() {
        #expect(keys("\u{1B}[15~n") == [.letter("n")])
        #expect(keys("\u{01}n") == [.letter("n")])
    }
}
