import Workbook

/// Raw memory, as the compiler's own check of memory safety finds it in a submission.
///
/// What is safe cannot read the harness's secret or patch a function table, so a kata does without what isn't.
enum RawMemory {
    static let group = "StrictMemorySafety"

    /// - Parameter source: the text that was compiled, for what an argument is.
    static func rejection(_ messages: [CompilerMessage], in source: [UInt8] = []) -> Rejection? {
        var current: CompilerMessage?
        var reasons: [CompilerMessage] = []
        var hasReason = true
        func close() {
            // A finding without a note names itself.
            if let current, !hasReason { reasons.append(current) }
        }
        for message in messages {
            if message.group == group {
                close()
                current = message
                hasReason = false
            } else if message.severity == .note, current != nil {
                if ["add '@", "mark ", "make "].contains(where: message.text.hasPrefix) { continue }
                hasReason = true
                reasons.append(message)
            } else {
                close()
                current = nil
                hasReason = true
            }
        }
        close()
        var lines: [ArraySlice<UInt8>]?
        for reason in reasons where !isHonest(reason.text) {
            if isArgument(reason.text) {
                let split = lines ?? source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                lines = split
                if isNil(reason, in: split) { continue }
            }
            return rejection(reason)
        }
        return nil
    }

    private static func rejection(_ reason: CompilerMessage) -> Rejection {
        let name = subject(reason.text)
        let isExecutor = ["UnownedSerialExecutor", "UnownedJob"].contains(where: reason.text.contains)
        return Rejection(
            isExecutor ? LocalizableMessage(.rejectedExecutor) : LocalizableMessage(.rejectedUnsafe, name), line: reason.line,
            column: reason.column)
    }

    /// What opts out of the check of data races is another matter.
    private static let honestMarks = ["nonisolated(unsafe)", "@unchecked"]
    /// The two streams of the C library, and the functions that take one of them at the argument of this number. All other
    /// functions of C that a kata needs have a version in the module `Checked` that takes no address.
    private static let streams = ["stdout", "stderr"]
    private static let streamArguments = ["fputs": "argument #1", "fflush": "argument #0"]

    private static func isHonest(_ text: String) -> Bool {
        let words = (text.range(of: " (aka ").map { String(text[..<$0.lowerBound]) } ?? text)
            .split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        if words.count >= 3 {
            if words[0] == "reference to var ", streams.contains(words[1]) { return true }
            if let argument = streamArguments[words[1]], words[0] == "\(argument) in call to global function ",
                words[3...].dropLast().last?.hasPrefix("UnsafeMutablePointer<FILE>") == true
            {
                return true
            }
        }
        // What stands in quotation marks is a name, which may say anything.
        let said = words.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
        return honestMarks.contains { said.contains($0) }
    }

    private static func isArgument(_ text: String) -> Bool {
        text.hasPrefix("argument #") && text.contains(" in call to global function ")
    }

    /// Whether the argument that a note is about is `nil`, which is no address.
    private static func isNil(_ note: CompilerMessage, in lines: [ArraySlice<UInt8>]) -> Bool {
        guard lines.indices.contains(note.line - 1), note.column > 0 else { return false }
        let rest = lines[note.line - 1].dropFirst(note.column - 1)
        return rest.starts(with: "nil".utf8)
            && rest.dropFirst(3).first.map { [UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: " ")].contains($0) }
                ?? false
    }

    /// The declaration that a note is about: the last name in quotation marks.
    private static func subject(_ text: String) -> String {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return parts.count >= 3 ? String(parts[parts.count - 2]) : text
    }
}
