import Foundation
import Workbook

/// The Swift toolchain that compiles submissions.
public struct Toolchain: Sendable, Equatable {
    /// The folder that holds `bin` and `lib`, such as `/usr`.
    public let root: URL

    public var compiler: URL { root.appendingPathComponent("bin/swiftc") }
    /// SwiftPM's program.
    public var swift: URL { root.appendingPathComponent("bin/swift") }
    public var frontend: URL { root.appendingPathComponent("bin/swift-frontend") }
    /// Every toolchain has one: the driver links with it.
    public var cCompiler: URL { root.appendingPathComponent("bin/clang") }
    public var linker: URL { root.appendingPathComponent("bin/ld.lld") }
    /// Says which line of a source an address comes from. Not every toolchain has it.
    var symbolizer: URL { root.appendingPathComponent("bin/llvm-symbolizer") }
    /// Where the runtime's libraries lie.
    public var libraries: URL { root.appendingPathComponent("lib/swift/linux") }
    /// The object that registers an image's metadata with the runtime when the image is loaded.
    public var imageStart: URL {
        #if arch(arm64)
        libraries.appendingPathComponent("aarch64/swiftrt.o")
        #else
        libraries.appendingPathComponent("x86_64/swiftrt.o")
        #endif
    }
    var macros: URL { root.appendingPathComponent("lib/swift/host/plugins") }
    var testingMacros: URL { macros.appendingPathComponent("testing") }

    /// The toolchain of `swiftc` in `PATH`.
    public static func locate(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(GradingError) -> Toolchain {
        let path = environment["PATH"] ?? ""
        for folder in path.split(separator: ":") {
            let compiler = URL(fileURLWithPath: String(folder)).appendingPathComponent("swiftc")
            guard FileManager.default.isExecutableFile(atPath: compiler.path) else { continue }
            // `swiftc` is a link to the compiler's own program, in the toolchain's `bin`.
            let root = compiler.resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
            let found = Toolchain(root: root)
            #if os(Linux)
            if FileManager.default.isExecutableFile(atPath: found.frontend.path) { return found }
            #else
            // On a Mac, `/usr/bin/swiftc` calls the compiler of the Xcode that is selected.
            return found
            #endif
        }
        throw GradingError(.noCompiler, path)
    }

    /// Where compilers keep what they need for a moment. Their driver crashes on a path with characters beyond ASCII, which
    /// the workbook's own path may have.
    static var temporaryFolder: String {
        let folder = FileManager.default.temporaryDirectory.path
        return folder.utf8.allSatisfy { $0 < 0x80 } ? folder : "/tmp"
    }

    /// The program that asks.
    static var runningProgram: URL {
        (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).resolvingSymlinksInPath()
    }

    /// Which compiler this is, without starting it.
    var identity: FileIdentity? {
        #if os(Linux)
        FileIdentity(frontend.path)
        #else
        // The link that names the selected Xcode is a new one after another is selected.
        FileIdentity(root.path == "/usr" ? "/var/db/xcode_select_link" : compiler.path)
        #endif
    }

    /// The compiler's version, such as `6.3.1`, or all of its first line where the line has another form.
    func version() -> String {
        let child = ChildProcess(
            program: compiler.path, arguments: ["--version"], environment: ["PATH": "/usr/bin:/bin"])
        let text = (try? child.collectOutput(seconds: 30).text) ?? ""
        return Self.version(in: text) ?? text.split(separator: "\n").first.map(String.init) ?? ""
    }

    /// `6.3.1` out of `Swift version 6.3.1 (swift-6.3.1-RELEASE)`.
    static func version(in text: String) -> String? {
        text.firstMatch(of: /Swift version ([0-9.]+)/).map { String($0.1) }
    }
}
