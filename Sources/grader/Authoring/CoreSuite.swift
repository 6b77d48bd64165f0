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
        let names = id.prefix { $0 != "(" }.split(separator: "/").map(String.init)
        guard let function = names.last, names.count >= 2 else { return source }
        let code = Array(SwiftText(source).codeOnly)
        let text = Array(source)
        for type in bodies(after: #/\b(?:struct|class|actor|enum|extension)\s+([A-Za-z0-9_.]+)/#, code)
        where type.name.split(separator: ".").last.map(String.init) == names[names.count - 2] {
            for found in bodies(after: #/\bfunc\s+([A-Za-z0-9_]+)/#, code)
            where found.name == function && type.body.contains(found.start) {
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
        }
        return source
    }

    private struct Found {
        var name: String
        var start: Int
        /// From the opening brace to behind the closing one.
        var body: Range<Int>
    }

    /// The declarations that the pattern finds, and what stands between their braces.
    private static func bodies(after pattern: Regex<(Substring, Substring)>, _ code: [Character]) -> [Found] {
        let text = String(code)
        // Counted on from match to match: a suite is long.
        var (place, offset) = (text.startIndex, 0)
        func count(to index: String.Index) -> Int {
            offset += text.distance(from: place, to: index)
            place = index
            return offset
        }
        return text.matches(of: pattern).compactMap { match in
            let start = count(to: match.range.lowerBound)
            var index = count(to: match.range.upperBound)
            var parentheses = 0
            var braces = 0
            var open: Int?
            while index < code.count {
                switch code[index] {
                case "(", "[": parentheses += 1
                case ")", "]": parentheses -= 1
                case "{" where parentheses == 0 || open != nil:
                    open = open ?? index
                    braces += 1
                case "}" where open != nil:
                    braces -= 1
                    if braces == 0, let open {
                        return Found(name: String(match.output.1), start: start, body: open..<(index + 1))
                    }
                default: break
                }
                index += 1
            }
            return nil
        }
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
