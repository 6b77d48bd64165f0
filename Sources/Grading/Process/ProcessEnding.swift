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

        /// What an error says of a program that failed: what it printed, or else how it ended.
        func words(printed text: String) -> String { text.isEmpty ? description : text }

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
