import Foundation
import Workbook

/// The Swift toolchain that compiles submissions.
public struct Toolchain: Sendable, Equatable {
    /// The folder that holds `bin` and `lib`: `/usr`, or `…/XcodeDefault.xctoolchain/usr`.
    public let root: URL

    public var compiler: URL { root.appendingPathComponent("bin/swiftc") }
    public var frontend: URL { root.appendingPathComponent("bin/swift-frontend") }
    public var linker: URL { root.appendingPathComponent("bin/ld.lld") }
    /// Where the runtime's libraries lie.
    public var libraries: URL { root.appendingPathComponent("lib/swift/\(Platform.libraryFolder)") }
    /// The object that registers an image's metadata with the runtime when the image is loaded.
    public var imageStart: URL { libraries.appendingPathComponent("\(Platform.architecture)/swiftrt.o") }
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
            if FileManager.default.isExecutableFile(atPath: found.frontend.path) { return found }
        }
        throw GradingError(.noCompiler, path)
    }

    /// Which compiler this is, without starting it.
    var identity: FileIdentity? { FileIdentity(frontend.path) }
}

/// Which file, and which state of it, as far as a look at its folder entry tells.
struct FileIdentity: Hashable, CustomStringConvertible {
    var path: String
    var size: Int
    var modified: String

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.path = path
        size = Int(status.st_size)
        #if canImport(Darwin)
        modified = "\(status.st_mtimespec.tv_sec).\(status.st_mtimespec.tv_nsec)"
        #else
        modified = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        #endif
    }

    var description: String { "\(path) \(size) \(modified)" }
}
