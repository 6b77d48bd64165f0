import Foundation
import Storage
import Workbook

/// The one package that the portable engine builds: the current kata, its suite, and links to what suites are written with.
///
/// It names one kata only, since a package of all katas would stop at the first that does not compile. What was built for
/// another kata stays, so that going back to it costs little.
struct PortablePackage: Sendable {
    let folder: URL
    /// `Sources/KataSupport`, and `Sources/Combine` where the platform has no Combine.
    let support: [URL]

    /// Changes with the package's layout, so that nothing of an older one is taken for its own.
    static let version = "1"

    var output: URL { folder.appendingPathComponent("output") }
    var events: URL { folder.appendingPathComponent("events") }

    init(_ context: GradingContext) throws(GradingError) {
        folder =
            context.options.cacheFolder?.appendingPathComponent("portable")
            ?? context.workbook.graderFolder.appendingPathComponent("portable")
        support = try Self.support(for: context.workbook)
    }

    #if canImport(Darwin)
    private static let supportModules = ["KataSupport"]
    #else
    private static let supportModules = ["Combine", "KataSupport"]
    #endif

    /// In the workbook, which is a whole package as a rule; else in the package that this program was built from.
    static func support(for workbook: WorkbookFolder) throws(GradingError) -> [URL] {
        var candidates = [workbook.url]
        var above = Toolchain.runningProgram.deletingLastPathComponent()
        while above.path != "/" {
            candidates.append(above)
            above.deleteLastPathComponent()
        }
        for candidate in candidates {
            let modules = supportModules.map { candidate.appendingPathComponent("Sources/\($0)") }
            if modules.allSatisfy({ access($0.path, F_OK) == 0 }) { return modules }
        }
        throw GradingError(.noSupportSources, workbook.url.path)
    }

    /// What a verdict follows from besides the kata: every source that suites are built with.
    var supportIdentity: String {
        let files = support.flatMap { module in
            let names = FileManager.default.enumerator(atPath: module.path)?.allObjects as? [String] ?? []
            return names.filter { $0.hasSuffix(".swift") }.sorted().map { module.appendingPathComponent($0).path }
        }
        return files.compactMap { FileIdentity($0)?.description }.joined(separator: "\n")
    }

    /// The folder of the kata's module in the package.
    func module(_ kata: Kata) -> URL { folder.appendingPathComponent("Katas/\(kata.kata)") }
    private func tests(_ kata: Kata) -> URL { folder.appendingPathComponent("Katas/\(kata.kata)Tests") }

    /// Makes it the package of one kata and one submission. Only one process at a time may do that, and use it.
    func write(_ kata: Kata, suite: [URL], submission: [UInt8]) throws(GradingError) {
        do {
            try moveIn()
            for module in support {
                try link(folder.appendingPathComponent("Sources/\(module.lastPathComponent)"), module)
            }
            try keep(Self.ownFile("Package/RunLog.c"), "RunLog/RunLog.c")
            try keep(Data(), "RunLog/include/RunLog.h")
            try keep(Self.ownFile("Checked/Continuations.swift"), "Katas/\(kata.kata)/Continuations.swift")
            try keep(Data(manifest(kata).utf8), "Package.swift")
            // Written even where it is the same: what is compiled again also repeats its warnings.
            try Data(submission).write(to: module(kata).appendingPathComponent("\(kata.kata).swift"))
            try FileManager.default.createDirectory(at: tests(kata), withIntermediateDirectories: true)
            let wanted = Dictionary(uniqueKeysWithValues: suite.map { ($0.lastPathComponent, $0) })
            for name in try FileManager.default.contentsOfDirectory(atPath: tests(kata).path) where wanted[name] == nil
            {
                try FileManager.default.removeItem(at: tests(kata).appendingPathComponent(name))
            }
            for (name, file) in wanted { try link(tests(kata).appendingPathComponent(name), file) }
        } catch let error as GradingError {
            throw error
        } catch {
            throw GradingError(folder, notWritable: error)
        }
    }

    /// Throws away what was built where it was built at another path: a build folder that was moved or copied cannot be used.
    private func moveIn() throws {
        let place = folder.appendingPathComponent("place")
        let text = "\(Self.version) \(folder.path)\n"
        if (try? String(contentsOf: place, encoding: .utf8)) == text { return }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let marks = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in [".build", "Katas", "Sources"] + marks.filter({ $0.hasPrefix("built-") }) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        try Data(text.utf8).write(to: place)
    }

    /// Writes a file unless it has this content: a file that changes is built again.
    private func keep(_ content: Data, _ path: String) throws {
        let file = folder.appendingPathComponent(path)
        if (try? Data(contentsOf: file)) == content { return }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: file)
    }

    private func link(_ link: URL, _ target: URL) throws {
        let files = FileManager.default
        if (try? files.destinationOfSymbolicLink(atPath: link.path)) == target.path { return }
        try? files.removeItem(at: link)
        try files.createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: link.path, withDestinationPath: target.path)
    }

    private static func ownFile(_ path: String) throws(GradingError) -> Data {
        let file = (Bundle.module.resourceURL ?? Bundle.module.bundleURL).appendingPathComponent(path)
        guard let data = try? Data(contentsOf: file) else { throw GradingError(.supportNotBuilt, file.path) }
        return data
    }

    /// Each module is compiled in one go where the build system can do that: half the work of compiling file by file.
    private func manifest(_ kata: Kata) -> String {
        let name = kata.kata
        let flags = SwiftTest.buildSystem == "native" ? #"["-wmo", "-num-threads", "2"]"# : "[]"
        let combine = support.count > 1 ? #""Combine""# : ""
        let combineTarget =
            support.count > 1
            ? #".target(name: "Combine", path: "Sources/Combine", exclude: ["README.md"], swiftSettings: flags),"# : ""
        return """
            // swift-tools-version: 6.0
            // Written by the grader for one kata at a time.
            import PackageDescription

            let flags: [SwiftSetting] = [.unsafeFlags(\(flags))]
            let package = Package(
                name: "Portable",
                platforms: [.macOS(.v15)],
                targets: [
                    \(combineTarget)
                    .target(
                        name: "KataSupport", dependencies: [\(combine)], path: "Sources/KataSupport",
                        exclude: ["README.md"], swiftSettings: flags),
                    .target(name: "RunLog", path: "RunLog"),
                    .target(name: "\(name)", dependencies: [\(combine)], path: "Katas/\(name)", swiftSettings: flags),
                    .testTarget(
                        name: "\(name)Tests", dependencies: ["\(name)", "KataSupport", "RunLog"],
                        path: "Katas/\(name)Tests", swiftSettings: flags),
                ],
                swiftLanguageModes: [.v5])

            """
    }
}
