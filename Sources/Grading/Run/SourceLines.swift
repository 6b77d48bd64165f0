import Workbook

/// The lines of a submission that places in its image come from.
struct SourceLines {
    /// The lines of each offset, the innermost first.
    private let lines: [Int: [Int]]
    private let code: [String]

    /// Of a line that is longer, the beginning is kept.
    private static let longestCode = 200

    init(_ lines: [Int: [Int]], of source: SourceFile) {
        self.lines = lines
        // The compiler counts line feeds.
        code = source.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let text = line.drop(while: \.isWhitespace).prefix(Self.longestCode + 1)
            return text.count > Self.longestCode
                ? text.prefix(Self.longestCode) + "…" : String(text).trimmingWhitespaceAtEnd
        }
    }

    /// The innermost line that is in the file, for a place that is a list of calls.
    func line(of place: [Int]) -> (number: Int, code: String)? {
        for number in place.lazy.flatMap({ lines[$0] ?? [] }) where code.indices.contains(number - 1) {
            let text = code[number - 1]
            if !text.isEmpty { return (number, text) }
        }
        return nil
    }
}

extension String {
    fileprivate var trimmingWhitespaceAtEnd: String {
        var rest = self[...]
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
