import Foundation
import Workbook

/// The Swift toolchain that compiles submissions.
public struct Toolchain: Sendable, Equatable {
    /// The folder that holds `bin`, `lib` and `libexec`: `/usr`, or `…/XcodeDefault.xctoolchain/usr`.
    public let root: URL

    public var compiler: URL { root.appendingPathComponent("bin/swiftc") }
    public var frontend: URL { root.appendingPathComponent("bin/swift-frontend") }
    public var linker: URL { root.appendingPathComponent("bin/ld.lld") }

    /// The toolchain of `swiftc` in `PATH`.
    public static func locate(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(GradingError) -> Toolchain {
        let path = environment["PATH"] ?? ""
        for folder in path.split(separator: ":") {
            let compiler = URL(fileURLWithPath: String(folder)).appendingPathComponent("swiftc")
            guard FileManager.default.isExecutableFile(atPath: compiler.path) else { continue }
            let root = compiler.resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
            let found = Toolchain(root: root)
            if FileManager.default.isExecutableFile(atPath: found.frontend.path) { return found }
        }
        throw GradingError(.noCompiler, path)
    }
}
