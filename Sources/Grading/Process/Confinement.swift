import Foundation

/// What a confined program sees of the machine.
struct Confinement {
    /// Folders and files that can be read, by their path inside.
    var readable: [(inside: String, host: String)] = []
    /// The one folder that can be written, by its path inside; `nil` gives an empty one in memory, of a limited size.
    var writable: (inside: String, host: String)?
    var scratchMegabytes = 16
    var environment: [String: String] = [:]
    /// Where the program starts.
    var folder: String

    /// The folders that these paths and all that can be read lie in, from the outermost on.
    func foldersAround(_ paths: [String]) -> [String] {
        let all = (paths + readable.map(\.inside) + ["/dev/null"]).flatMap { path in
            path.indices.dropFirst().filter { path[$0] == "/" }.map { String(path[..<$0]) }
        }
        return Set(all).sorted()
    }

    /// Limits for a program that does not limit itself.
    var memoryMegabytes: Int?
    var processorSeconds: Int?
    var fileMegabytes: Int?
}

extension ChildProcess {
    /// A program in the sandbox, or as a plain process with limits where there is none.
    init(_ program: String, _ arguments: [String], in confinement: Confinement, sandbox: Sandbox?) {
        var command = [program] + arguments
        if let sandbox { command = sandbox.command(command, confinement) }
        var shell = ""
        if let memory = confinement.memoryMegabytes { shell += "ulimit -v \(memory << 10); " }
        if let seconds = confinement.processorSeconds { shell += "ulimit -t \(seconds); " }
        if let size = confinement.fileMegabytes { shell += "ulimit -f \(size << 11); " }
        if sandbox == nil { shell += "cd \"$0\"; " }
        if !shell.isEmpty {
            command = ["/bin/sh", "-c", "\(shell)ulimit -c 0; exec \"$@\"", confinement.folder] + command
        }
        self.init(
            program: command[0], arguments: Array(command.dropFirst()),
            environment: sandbox == nil ? confinement.environment : ["PATH": "/usr/bin:/bin"])
    }
}
