// What differs on macOS, where this could not be run: kept together, so that it can be read at once.
import Foundation

extension Platform {
    #if os(macOS)
    static let sandboxProgram = "sandbox-exec"
    static let sandboxKind = SandboxKind.sandboxExec
    /// The address space of a process cannot be limited there.
    static let limitsAddressSpace = false
    static let shipsCombine = true
    static let cLibrary = "Darwin"
    #else
    static let sandboxProgram = "bwrap"
    static let sandboxKind = SandboxKind.bubblewrap
    static let limitsAddressSpace = true
    static let shipsCombine = false
    static let cLibrary = "Glibc"
    #endif
}

/// A profile for `sandbox-exec`: nothing but reading the system, the toolchain and what the confinement names.
func sandboxProfile(_ confinement: Confinement) -> String {
    func quoted(_ path: String) -> String {
        "\"" + path.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
    }
    var lines = [
        "(version 1)", "(deny default)", "(allow process-exec)", "(allow process-fork)", "(allow sysctl-read)",
        "(allow mach-lookup)", "(allow file-read-metadata)",
        "(allow file-read* (subpath \"/usr/lib\") (subpath \"/System\") (subpath \"/Library/Apple\") (subpath \"/dev\"))",
    ]
    lines += confinement.readable.map { "(allow file-read* (subpath \(quoted($0.host))))" }
    if let writable = confinement.writable {
        lines.append("(allow file-read* file-write* (subpath \(quoted(writable.host))))")
    }
    return lines.joined(separator: "\n")
}
