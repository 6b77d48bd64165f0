import Workbook

/// What learners may see of a hidden suite: its core tests, and what these need.
struct CoreSuite: Sendable {
    var kata: Kata

    /// The source without the tests that are not core ones.
    func text(of source: String) -> String {
        kata.tests.filter { $0.tier != .core }.reduce(source) { Self.removing($1.id, from: $0) }
    }

    /// Removes a test of the name `Type/function()` with its attributes and comments.
    private static func removing(_ id: String, from source: String) -> String {
        let suite = SuiteText(source)
        guard let found = suite.test(id) else { return source }
        let (text, code) = (suite.text, suite.code)
        let start = declarationStart(before: found.start, text, code)
        var end = found.body.upperBound
        while end < text.count, text[end] != "\n" { end += 1 }
        // With the line's end, and the empty line that stood before the next member.
        end = min(end + 1, text.count)
        if end < text.count, text[end] == "\n" { end += 1 }
        // Nor does an empty line stay before the brace that ends the type.
        var last = start
        if text[end...].first(where: { !$0.isWhitespace }) == "}" {
            while last > 1, text[last - 1] == "\n", text[last - 2] == "\n" { last -= 1 }
        }
        return String(text[..<last] + text[end...])
    }

    /// The beginning of the line where the declaration begins: its attributes and the comments above belong to it.
    private static func declarationStart(before index: Int, _ text: [Character], _ code: [Character]) -> Int {
        var start = lineStart(of: index, text)
        while start > 0 {
            var above = lineStart(of: start - 1, text)
            // An attribute's arguments may take several lines.
            func depth() -> Int {
                code[above..<start].reduce(0) { $0 + ("([".contains($1) ? 1 : ")]".contains($1) ? -1 : 0) }
            }
            while depth() < 0, above > 0 { above = lineStart(of: above - 1, text) }
            let line = String(text[above..<start]).drop { $0 == " " }
            guard line.hasPrefix("@") || line.hasPrefix("///") else { break }
            start = above
        }
        return start
    }

    private static func lineStart(of index: Int, _ text: [Character]) -> Int {
        var start = index
        while start > 0, text[start - 1] != "\n" { start -= 1 }
        return start
    }
}
