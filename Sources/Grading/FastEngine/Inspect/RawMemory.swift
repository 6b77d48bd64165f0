import Workbook

/// Raw memory, as the compiler's own check of memory safety finds it in a submission.
///
/// What is safe cannot read the harness's secret or patch a function table, so a kata does without what isn't.
enum RawMemory {
    static let group = "StrictMemorySafety"

    static func rejection(_ messages: [CompilerMessage]) -> Rejection? {
        var current: CompilerMessage?
        var names: [(CompilerMessage, String)] = []
        var hadNote = true
        func close() {
            // A finding without a note names itself.
            if let current, !hadNote { names.append((current, current.text)) }
        }
        for message in messages {
            if message.group == group {
                close()
                current = message
                hadNote = false
            } else if message.severity == .note, current != nil {
                if message.text.hasPrefix("add '@") || message.text.hasPrefix("mark ")
                    || message.text.hasPrefix("make ")
                {
                    continue
                }
                hadNote = true
                names.append((message, message.text))
            } else {
                close()
                current = nil
                hadNote = true
            }
        }
        close()
        for (message, text) in names where !isHonest(text) {
            return Rejection(
                LocalizableMessage(.rejectedUnsafe, subject(text)), line: message.line, column: message.column)
        }
        return nil
    }

    /// Looking at the current task reaches no memory by itself.
    private static let honest: Set<String> = ["UnsafeCurrentTask", "withUnsafeCurrentTask"]
    private static let honestMarks = ["nonisolated(unsafe)", "@unchecked"]
    /// Locks of the C library, as long as nobody looks inside.
    private static let locks: Set<String> = [
        "pthread_mutex_t", "pthread_mutexattr_t", "pthread_rwlock_t", "pthread_rwlockattr_t", "pthread_cond_t",
        "pthread_condattr_t",
    ]
    /// C functions that take the address of a variable, or a text. An address that was come by otherwise is found where that
    /// was done.
    private static let functions: Set<String> = [
        "clock_gettime", "clock_getres", "gettimeofday", "time", "fputs", "puts", "fflush",
    ]
    private static let streams = ["stdout", "stderr"]

    private static func isHonestC(_ text: String) -> Bool {
        let words = (text.range(of: " (aka ").map { String(text[..<$0.lowerBound]) } ?? text)
            .split(separator: "'", omittingEmptySubsequences: false)
        guard words.count >= 3 else { return false }
        let (about, name, type) = (words[0], String(words[1]), String(words[words.count - 2]))
        if about.hasPrefix("argument #"), about.hasSuffix(" in call to global function ") {
            return functions.contains(name) || name.hasPrefix("pthread_")
        }
        if about == "reference to var ", streams.contains(name) { return true }
        guard locks.contains(type.hasSuffix(".Type") ? String(type.dropLast(5)) : type) else { return false }
        return !words.contains { $0.contains("init(") && $0 != "init()" }
    }

    private static func isHonest(_ text: String) -> Bool {
        if isHonestC(text) { return true }
        // `argument #0 in call to … has unsafe type '(UnsafeCurrentTask?) -> ()'`: every unsafe word is honest.
        let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        let unsafe = words.filter {
            $0.contains("Unsafe") || $0.contains("Unmanaged") || $0.contains("OpaquePointer")
        }
        if !unsafe.isEmpty { return unsafe.allSatisfy { honest.contains(String($0)) } }
        // What stands in quotation marks is a name, which may say anything.
        let names = text.split(separator: "'", omittingEmptySubsequences: false).enumerated()
        let said = names.filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }.joined()
        return honestMarks.contains { said.contains($0) }
    }

    /// The declaration that a note is about: the last name in quotation marks.
    private static func subject(_ text: String) -> String {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return parts.count >= 3 ? String(parts[parts.count - 2]) : text
    }
}
