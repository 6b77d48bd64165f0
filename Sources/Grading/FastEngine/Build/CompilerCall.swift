import Foundation
import Workbook

/// One call of a compiler: what it is given, what it may see and use, and what comes of it.
struct CompilerCall {
    enum Tool {
        case frontend
        /// It can also link.
        case driver
        /// For the scheduler, which is written in C.
        case clang
    }

    var toolchain: Toolchain
    var tool = Tool.frontend
    var arguments: [String]
    /// Where the compiler works. A relative path in the arguments starts here.
    var folder: URL
    var confinement: Confinement
    var sandbox: Sandbox?
    var seconds: Double = 300

    /// A call that compiles code of the workbook's or of the grader's own: a model answer, a suite, the harness.
    init(_ toolchain: Toolchain, by tool: Tool = .frontend, _ arguments: [String], in folder: URL) {
        self.toolchain = toolchain
        self.tool = tool
        self.arguments = arguments
        self.folder = folder
        confinement = Confinement(folder: folder.path)
        confinement.environment = tool == .driver ? ProcessInfo.processInfo.environment : ["PATH": "/usr/bin:/bin"]
        confinement.environment["TMPDIR"] = Toolchain.temporaryFolder
        confinement.environment["HOME"] = folder.path
        confinement.environment["SWIFT_BACKTRACE"] = "enable=no"
    }

    /// The same call for a compiler that reads what a stranger wrote. It sees the toolchain and `readable` only.
    func confined(to sandbox: Sandbox?, reading readable: [URL], limits: Limits) -> CompilerCall {
        var call = self
        let inside = sandbox == nil ? folder.path : "/kata"
        call.sandbox = sandbox
        call.confinement.folder = inside
        call.confinement.writable = ("/kata", folder.path)
        call.confinement.readable = ([toolchain.root, URL(fileURLWithPath: "/usr/include")] + readable).map {
            ($0.path, $0.path)
        }
        call.confinement.environment = [
            "PATH": "/usr/bin:/bin", "TMPDIR": sandbox == nil ? Toolchain.temporaryFolder : inside, "HOME": inside,
            "SWIFT_BACKTRACE": "enable=no",
        ]
        call.confinement.memoryMegabytes = limits.compileMegabytes
        call.confinement.processorSeconds = Int(limits.compileSeconds.rounded(.up)) + 1
        call.confinement.fileMegabytes = 16
        call.seconds = limits.compileSeconds
        return call
    }

    private var program: URL {
        switch tool {
        case .frontend: toolchain.frontend
        case .driver: toolchain.compiler
        case .clang: toolchain.cCompiler
        }
    }

    func run(cancellation: CancellationFlag? = nil) throws(GradingError) -> CompilerOutput {
        let child = ChildProcess(program.path, arguments, in: confinement, sandbox: sandbox)
        let output = try child.collectOutput(
            seconds: seconds, limit: CompilerOutput.longest, cancellation: cancellation)
        if output.ending != .exited(0), Shortage.isTold(in: output.text) {
            throw GradingError(.programFailed, child.program, output.text)
        }
        return CompilerOutput(output.ending, output.text)
    }

    /// Runs a call that must succeed, since it compiles code of the grader's own.
    func runOwnCode() throws(GradingError) {
        let output = try run()
        guard output.ending == .succeeded else { throw GradingError(.programFailed, program.path, output.words) }
    }
}

/// What the compiler printed, and what its end means.
struct CompilerOutput: Equatable {
    enum Ending: Equatable {
        case succeeded
        /// It found errors in the source, which it has printed.
        case foundErrors
        case timedOut
        case outOfMemory
        /// It failed on this source in another way: its last words.
        case crashed(String)
    }

    /// Who makes the compiler print more has made mistakes that it has told by then.
    static let longest = 1 << 22

    var ending: Ending
    var text: String
    /// What an error says of a compiler that failed.
    var words: String

    init(_ ending: ChildProcess.Ending, _ text: String) {
        self.text = text
        words = ending.words(printed: text)
        switch ending {
        case .exited(0): self.ending = .succeeded
        case .exited(1): self.ending = .foundErrors
        case .stopped where text.utf8.count >= Self.longest: self.ending = .foundErrors
        // A shell passes on SIGXCPU, by which the kernel ends what has used up its processor time, as 128 + 24.
        case .stopped, .exited(128 + 24): self.ending = .timedOut
        default:
            let isMemory = ["out of memory", "bad_alloc", "Could not allocate memory"].contains(where: text.contains)
            let words = ChildProcess.Ending.lastLines(of: text).last ?? "\(ending)"
            self.ending = isMemory ? .outOfMemory : .crashed(words)
        }
    }

    /// Why the source is rejected on which the compiler could not do its work; `nil` where it could.
    func rejection(_ limits: Limits) -> Rejection? {
        switch ending {
        case .succeeded, .foundErrors: nil
        case .timedOut: Rejection(LocalizableMessage(.compileTimedOut, limits.compileSeconds.short))
        case .outOfMemory: Rejection(LocalizableMessage(.compileOutOfMemory, "\(limits.compileMegabytes)"))
        case .crashed(let words): Rejection(LocalizableMessage(.compilerCrashed, words))
        }
    }
}
