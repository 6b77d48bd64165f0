import Testing

@testable import Workbook

@Suite("The colors of a source")
struct SyntaxSpanTests {
    private func spans(_ text: String) -> [String] {
        let units = Array(text.utf16)
        return SyntaxSpan.all(in: text).map { "\($0.kind): \(String(decoding: units[$0.range], as: UTF16.self))" }
    }

    @Test(
        "keywords, types, texts, numbers and comments have one, and names of values have none",
        arguments: [
            ("let x: Int = 12 // twelve", ["keyword: let", "type: Int", "number: 12", "comment: // twelve"]),
            (
                "/* a /* b */ c */ func f() { \"a // b\" }",
                ["comment: /* a /* b */ c */", "keyword: func", "string: \"a // b\""]
            ),
            ("@MainActor class A", ["keyword: MainActor", "keyword: class", "type: A"]),
            ("#expect(a == .default)", ["keyword: expect"]),
            ("", []), ("x", []), ("// only", ["comment: // only"]), ("\"never ended", ["string: \"never ended"]),
        ] as [(String, [String])])
    func kinds(text: String, expected: [String]) {
        #expect(spans(text) == expected)
    }

    @Test("places count as a page's script does, whatever letters stand before")
    func units() {
        #expect(
            spans("let 값 = \"👩‍👩‍👧 é\" // ไทย\nreturn 1")
                == ["keyword: let", "string: \"👩‍👩‍👧 é\"", "comment: // ไทย", "keyword: return", "number: 1"])
    }
}
