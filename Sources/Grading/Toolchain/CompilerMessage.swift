import Workbook

/// What the compiler says about a file, line by line.
struct CompilerMessage: Sendable, Hashable {
    var severity: Diagnostic.Severity
    var file: String
    /// From 1; 0 where the message is about no place.
    var line: Int
    var column: Int
    var text: String
    /// The diagnostic group, such as `StrictMemorySafety`.
    var group: String?

    /// The messages in the compiler's output.
    ///
    /// Below a message that has a place stands a line of the source, which may look like a message itself: it is left out.
    /// One that looks like a message with a group is kept, in case it is one; a note says something of the message above, so
    /// the source may not pass for one.
    static func parse(_ output: [UInt8]) -> [CompilerMessage] {
        var messages: [CompilerMessage] = []
        var isSource = false
        for line in output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let wasSource = isSource
            isSource = false
            guard let message = CompilerMessage(line: line) else { continue }
            if wasSource, message.group == nil || message.severity == .note { continue }
            messages.append(message)
            isSource = message.line > 0
        }
        return messages
    }

    /// How often the output names a group, whatever else it says.
    static func mentions(of group: String, in output: [UInt8]) -> Int {
        let name = Array("[#\(group)]".utf8)
        return output.indices.count { output[$0] == name[0] && output[$0...].starts(with: name) }
    }

    private static let severities: [(mark: [UInt8], severity: Diagnostic.Severity)] = [
        (Array(": error: ".utf8), .error), (Array(": warning: ".utf8), .warning), (Array(": note: ".utf8), .note),
        (Array(": remark: ".utf8), .note),
    ]

    /// The first word of a severity in a line, with what stands around it.
    private static func severity(in line: ArraySlice<UInt8>) -> (range: Range<Int>, severity: Diagnostic.Severity)? {
        for index in line.indices where line[index] == UInt8(ascii: ":") {
            for (mark, severity) in severities where line[index...].starts(with: mark) {
                return (index..<index + mark.count, severity)
            }
        }
        return nil
    }

    /// `path:12:5: error: words [#Group]`, where a message about no place has `<unknown>:0` before it.
    private init?(line: ArraySlice<UInt8>) {
        guard line.first != UInt8(ascii: " "), let (range, severity) = Self.severity(in: line) else { return nil }
        var head = line[..<range.lowerBound]
        func number() -> Int? {
            guard let colon = head.lastIndex(of: UInt8(ascii: ":")),
                let value = Int(String(decoding: head[(colon + 1)...], as: UTF8.self))
            else { return nil }
            head = head[..<colon]
            return value
        }
        let last = number()
        let first = number()
        self.line = first ?? last ?? 0
        column = first == nil ? 0 : last ?? 0
        file = String(decoding: head, as: UTF8.self)
        self.severity = severity
        var text = Substring(String(decoding: line[range.upperBound...], as: UTF8.self))
        if text.hasSuffix("]"), let bracket = text.range(of: " [#", options: .backwards) {
            group = String(text[bracket.upperBound...].dropLast())
            text = text[..<bracket.lowerBound]
        }
        self.text = String(text)
    }
}
