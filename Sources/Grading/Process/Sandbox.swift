import Foundation
import Workbook

/// Keeps a stranger's code from the machine: namespaces of Linux, by `bwrap`. The harness adds a filter of system calls.
public struct Sandbox: Sendable, Equatable {
    public let program: URL
    /// Whether a run can have a user of its own: only root can give it one, and not everywhere. The system's limit on threads
    /// holds for such a user, and not for root.
    public private(set) var givesOwnUsers = false

    /// The sandbox in `PATH`; throws a sentence that says what to install where there is none.
    ///
    /// Finding it starts no process; `Doctor` tries it out.
    public static func probe(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(GradingError) -> Sandbox {
        let name = "bwrap"
        for folder in (environment["PATH"] ?? "").split(separator: ":") {
            let program = URL(fileURLWithPath: String(folder)).appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: program.path) {
                return Sandbox(program: program)
            }
        }
        throw GradingError(.noSandbox, name, environment["PATH"] ?? "")
    }

    /// The sandbox, found to work: many containers have the program and forbid what it does.
    ///
    /// That it works is remembered until the machine starts again; that it doesn't is tried again each time.
    static func working(remembering cache: CacheFolder) throws(GradingError) -> Sandbox {
        var found = try probe()
        let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        let file = FileIdentity(found.program.path)?.description ?? ""
        let key = CacheKey(["boot": boot ?? "", "program": file, "user": "\(getuid())", "asks": "own users"])
        if boot != nil, let known = cache.read("sandbox", key) {
            found.givesOwnUsers = known == ownUsers
            return found
        }
        found.givesOwnUsers = getuid() == 0
        var trouble = found.trouble()
        if trouble != nil, found.givesOwnUsers {
            found.givesOwnUsers = false
            trouble = found.trouble()
        }
        if let trouble { throw GradingError(.noSandbox, found.program.lastPathComponent, trouble) }
        cache.write(found.givesOwnUsers ? ownUsers : Data("works\n".utf8), "sandbox", key)
        return found
    }

    private static let ownUsers = Data("works, with own users\n".utf8)

    /// Numbers that systems keep for users of the moment.
    private static let users: Range<UInt32> = 61_184..<65_520

    /// `command`, run so that it sees nothing but what the confinement names.
    func command(_ command: [String], _ confinement: Confinement) -> [String] {
        // What it writes has to belong to the grader's user.
        let user = givesOwnUsers && confinement.writable == nil ? UInt32.random(in: Self.users) : nil
        var arguments = ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv", "--hostname", "kata"]
        var command = command
        if let user {
            arguments += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
            arguments += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
            // The folders on the way to what it sees would be root's alone.
            for folder in confinement.foldersAround(["/usr/lib", Self.changesUser]) {
                arguments += ["--perms", "0755", "--dir", folder]
            }
            arguments += ["--ro-bind", Self.changesUser, Self.changesUser]
            command =
                [Self.changesUser, "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", "--"] + command
        } else {
            arguments += ["--unshare-all", "--uid", "65534", "--gid", "65534"]
        }
        for folder in ["/lib", "/lib64"] {
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder) {
                arguments += ["--symlink", target, folder]
            } else {
                arguments += ["--ro-bind-try", folder, folder]
            }
        }
        arguments += ["--ro-bind", "/usr/lib", "/usr/lib", "--ro-bind-try", "/usr/lib64", "/usr/lib64"]
        // Dispatch reads the state of its threads there, and traps where it can't; the compiler finds its libraries by it.
        arguments += ["--proc", "/proc"]
        for device in ["/dev/null", "/dev/urandom"] { arguments += ["--dev-bind", device, device] }
        for item in confinement.readable { arguments += ["--ro-bind", item.host, item.inside] }
        if let writable = confinement.writable {
            arguments += ["--bind", writable.host, writable.inside]
        } else {
            if user != nil { arguments += ["--perms", "1777"] }
            arguments += ["--size", "\(confinement.scratchMegabytes << 20)", "--tmpfs", confinement.folder]
        }
        for (name, value) in confinement.environment { arguments += ["--setenv", name, value] }
        return [program.path] + arguments + ["--chdir", confinement.folder, "--"] + command
    }

    private static let changesUser = "/usr/bin/setpriv"

    /// Why the sandbox does not work here; `nil` where it does.
    func trouble() -> String? {
        var confinement = Confinement(folder: "/tmp")
        confinement.readable = [("/usr/bin/true", "/usr/bin/true")]
        let child = ChildProcess("/usr/bin/true", [], in: confinement, sandbox: self)
        do throws(GradingError) {
            let output = try child.collectOutput(seconds: 20)
            return output.ending == .exited(0) ? nil : output.text.trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            return error.message.arguments.joined(separator: ": ")
        }
    }
}
