/// A Swift source as runs of code, comments and string literals: enough to look for a name in the code alone, and to find
/// where a declaration ends.
///
/// It is for sources of the workbook's own. A submission is read by `SourceScan`, which nothing may deceive.
public struct SwiftText: Sendable {
    public enum Kind: Sendable { case code, comment, string }

    public let text: String
    /// The runs in their order, without gaps.
    public let runs: [(kind: Kind, range: Range<String.Index>)]

    public init(_ text: String) {
        self.text = text
        var reader = Reader(text: text)
        runs = reader.read()
    }

    /// The text with blanks in place of what is not code: lines and columns stay.
    public var codeOnly: String {
        runs.map { kind, range in
            kind == .code ? String(text[range]) : String(text[range].map { $0.isNewline ? $0 : " " })
        }.joined()
    }

    /// The text without its comments.
    public var withoutComments: String { runs.filter { $0.kind != .comment }.map { text[$0.range] }.joined() }

    private struct Reader {
        let text: String
        var index: String.Index
        var runs: [(kind: Kind, range: Range<String.Index>)] = []

        init(text: String) {
            self.text = text
            index = text.startIndex
        }

        private var rest: Substring { text[index...] }

        mutating func read() -> [(kind: Kind, range: Range<String.Index>)] {
            while index < text.endIndex {
                let start = index
                if rest.hasPrefix("//") {
                    index = rest.firstIndex(where: \.isNewline) ?? text.endIndex
                    runs.append((.comment, start..<index))
                } else if rest.hasPrefix("/*") {
                    skipComment()
                    runs.append((.comment, start..<index))
                } else if beginsString {
                    skipString()
                    runs.append((.string, start..<index))
                } else {
                    index = text.index(after: index)
                    if let last = runs.last, last.kind == .code {
                        runs[runs.count - 1].range = last.range.lowerBound..<index
                    } else {
                        runs.append((.code, start..<index))
                    }
                }
            }
            return runs
        }

        /// Block comments may hold others.
        private mutating func skipComment() {
            var depth = 0
            repeat {
                if rest.hasPrefix("/*") {
                    depth += 1
                    index = text.index(index, offsetBy: 2)
                } else if rest.hasPrefix("*/") {
                    depth -= 1
                    index = text.index(index, offsetBy: 2)
                } else {
                    index = text.index(after: index)
                }
            } while depth > 0 && index < text.endIndex
        }

        private var beginsString: Bool { rest.drop { $0 == "#" }.first == "\"" }

        private mutating func skipString() {
            let pounds = String(rest.prefix { $0 == "#" })
            index = text.index(index, offsetBy: pounds.count)
            let quotes = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
            index = text.index(index, offsetBy: quotes.count)
            let end = quotes + pounds
            let escape = "\\" + pounds
            while index < text.endIndex {
                if rest.hasPrefix(end) {
                    index = text.index(index, offsetBy: end.count)
                    return
                }
                if rest.hasPrefix(escape) {
                    index = text.index(index, offsetBy: escape.count)
                    if rest.first == "(" { skipInterpolation() } else if index < text.endIndex { step() }
                } else {
                    // A literal on one line that has no end ends with the line.
                    if quotes.count == 1, text[index].isNewline { return }
                    step()
                }
            }
        }

        private mutating func step() { index = text.index(after: index) }

        private mutating func skipInterpolation() {
            var depth = 0
            while index < text.endIndex {
                if beginsString {
                    skipString()
                    continue
                }
                if text[index] == "(" { depth += 1 }
                if text[index] == ")" { depth -= 1 }
                step()
                if depth == 0 { return }
            }
        }
    }
}
