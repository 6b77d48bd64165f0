import Workbook

/// What the compiler says about a file, line by line.
struct CompilerMessage: Sendable, Equatable {
    var severity: Diagnostic.Severity
    var file: String
    var line: Int
    var column: Int
    var text: String
    /// The diagnostic group, such as `StrictMemorySafety`.
    var group: String?

    /// The messages in the compiler's output; source lines and carets are left out.
    static func parse(_ output: String) -> [CompilerMessage] {
        output.split(separator: "\n").compactMap { CompilerMessage(line: $0) }
    }

    private init?(line: Substring) {
        // path:12:5: error: words [#Group]
        guard line.first != " " else { return nil }
        for (word, severity) in [
            (": error: ", Diagnostic.Severity.error), (": warning: ", .warning), (": note: ", .note),
        ] {
            guard let range = line.firstRange(of: word) else { continue }
            var head = line[..<range.lowerBound]
            var text = line[range.upperBound...]
            func number() -> Int? {
                guard let colon = head.lastIndex(of: ":"), let value = Int(head[head.index(after: colon)...]) else {
                    return nil
                }
                head = head[..<colon]
                return value
            }
            guard let column = number(), let row = number() else { continue }
            if text.hasSuffix("]"), let bracket = text.range(of: " [#", options: .backwards) {
                group = String(text[bracket.upperBound...].dropLast())
                text = text[..<bracket.lowerBound]
            }
            self.severity = severity
            file = String(head)
            self.line = row
            self.column = column
            self.text = String(text)
            return
        }
        return nil
    }
}
