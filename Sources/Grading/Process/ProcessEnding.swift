import Foundation

extension ChildProcess {
    /// How a process ended.
    enum Ending: Equatable, CustomStringConvertible {
        case exited(Int32)
        case signaled(Int32)
        /// It was killed because the listener or its deadline said so.
        case stopped

        /// In words that are the same in every language, for an error of a program that says nothing itself.
        var description: String {
            switch self {
            case .exited(let code): "exit \(code)"
            case .signaled(let signal): Self.signalName(signal)
            case .stopped: "SIGKILL"
            }
        }

        /// What an error says of a program that failed: what it printed, or else how it ended. Of a crash, it says what
        /// happened in three lines at most.
        func words(printed text: String) -> String {
            let lines = isCrash(text) ? [description] + Self.lastLines(of: text).suffix(2) : [text]
            return text.isEmpty ? description : lines.joined(separator: "\n")
        }

        /// A shell passes on a signal as a code beyond 128, and a compiler's driver prints what its frontend did.
        private func isCrash(_ text: String) -> Bool {
            switch self {
            case .signaled: true
            case .exited(let code): code > 128 || text.contains(Self.stackDump)
            case .stopped: false
            }
        }

        private static let stackDump = "Stack dump:"

        /// The last lines of a program that crashed which say what happened: nothing of its backtrace.
        static func lastLines(of text: String) -> [String] {
            let lines = text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
            let isTrace = { (line: Substring) in
                ["PLEASE submit", stackDump, "Platform:", "Thread ", "Registers:"].contains { line.hasPrefix($0) }
            }
            let said = lines.prefix { !isTrace($0) }.filter { !$0.contains("Backtracing from") }
            // What a compiler was about stands in a list before its backtrace.
            let list = lines.drop { !$0.hasPrefix(stackDump) }.dropFirst().prefix { $0.first?.isNumber == true }
            let about = list.last { $0.contains("source location") || $0.contains("While ") }
                .map { $0.drop { $0.isNumber || $0 == "." || $0 == "\t" } }
            return (said + [about].compactMap { $0 }).map { String($0.prefix(300)) }
        }

        private static func signalName(_ signal: Int32) -> String {
            // The numbers differ between systems.
            let names: [Int32: String] = [
                SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
                SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
                SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGXFSZ: "SIGXFSZ", SIGSYS: "SIGSYS",
            ]
            return names[signal] ?? "signal \(signal)"
        }
    }
}
