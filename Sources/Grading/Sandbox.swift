import Foundation
import Workbook

/// What keeps a stranger's code from the machine.
public enum SandboxKind: String, Sendable, Codable {
    /// Linux: namespaces, by `bwrap`, with a filter of system calls.
    case bubblewrap
    /// macOS: `sandbox-exec`.
    case sandboxExec = "sandbox-exec"
}

/// A sandbox that was found to work on this machine.
public struct Sandbox: Sendable, Equatable {
    public let kind: SandboxKind
    public let program: URL

    /// Finds the platform's sandbox; throws a sentence that says what to install where there is none.
    public static func probe(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(GradingError) -> Sandbox {
        for folder in (environment["PATH"] ?? "").split(separator: ":") {
            let program = URL(fileURLWithPath: String(folder)).appendingPathComponent("bwrap")
            if FileManager.default.isExecutableFile(atPath: program.path) {
                return Sandbox(kind: .bubblewrap, program: program)
            }
        }
        throw GradingError(.noSandbox, "bubblewrap", "bwrap is not in PATH")
    }
}
