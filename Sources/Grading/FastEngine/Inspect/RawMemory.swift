import Workbook

/// Raw memory, as the compiler's own check of memory safety finds it in a submission.
///
/// What is safe cannot read the harness's key or patch a function table, so a kata does without what isn't.
enum RawMemory {
    static let group = "StrictMemorySafety"

    /// The first of it in what the compiler said, where every word about it is understood.
    ///
    /// - Parameter source: the text that was compiled, for what an argument is.
    static func rejection(_ output: [UInt8], _ messages: [CompilerMessage], in source: [UInt8]) -> Rejection? {
        if CompilerMessage.mentions(of: group, in: output) != messages.count(where: { $0.group == group }) {
            return Rejection(LocalizableMessage(.rejectedUnsafe, "[#\(group)]"))
        }
        return rejection(messages, in: source)
    }

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
            isExecutor ? LocalizableMessage(.rejectedExecutor) : LocalizableMessage(.rejectedUnsafe, name),
            line: reason.line,
            column: reason.column)
    }

    /// What opts out of the check of data races is another matter. Only the beginning of a note is surely the compiler's own:
    /// a name behind it may say anything.
    private static let honestBeginning = "reference to nonisolated(unsafe) "
    /// The two streams of the C library, and the functions that take one of them at the argument of this number. All other
    /// functions of C that a kata needs have a version in the module `Checked` that takes no address.
    private static let streams = ["stdout", "stderr"]
    private static let streamArguments = ["fputs": "argument #1", "fflush": "argument #0"]

    private static func isHonest(_ text: String) -> Bool {
        let words = quotedParts(text)
        if words.count >= 3 {
            if words[0] == "reference to var ", streams.contains(words[1]) { return true }
            if let argument = streamArguments[words[1]], words[0] == "\(argument) in call to global function ",
                words[3...].dropLast().last?.hasPrefix("UnsafeMutablePointer<FILE>") == true
            {
                return true
            }
        }
        return text.hasPrefix(honestBeginning)
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
        let parts = quotedParts(text)
        return parts.count >= 3 ? parts[parts.count - 2] : text
    }

    /// A note cut at its quotation marks, without what a type is also known as.
    private static func quotedParts(_ text: String) -> [String] {
        (text.range(of: " (aka ").map { text[..<$0.lowerBound] } ?? text[...])
            .split(separator: "'", omittingEmptySubsequences: false).map(String.init)
    }
}
