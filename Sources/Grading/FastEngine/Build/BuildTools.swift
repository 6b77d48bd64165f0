import Foundation
import Workbook

/// What the runs of one build of the grader share: the support libraries as one image, and the program that runs suites.
struct BuildTools: Sendable {
    var compiler: Compiler
    var support: SupportLibraries
    /// Where only Combine is found: what a submission may import besides the toolchain's own modules.
    var learnerModules: URL
    var supportImage: URL
    /// Keeps all but the entry points of a suite's image to itself.
    var exports: URL
    var harness: URL
    /// The digest of all of it.
    var key: CacheKey

    /// Changes with what the engine makes, so that nothing of an older engine is taken for its own.
    private static let version = "7"

    static func make(
        _ toolchain: Toolchain, cache: CacheFolder, trace: @escaping @Sendable (TraceEvent) -> Void
    ) async throws(GradingError) -> BuildTools {
        let support = try SupportLibraries.locate()
        var compiler = try Compiler.make(toolchain, cache: cache, trace: trace)
        // Clang's modules remember the path they were made at: a cache that has moved is made anew.
        let toolchainKey = CacheKey(["version": version, "compiler": compiler.identity, "place": cache.url.path])
        compiler.clangModules = cache.path("clang", toolchainKey)
        let (source, text) = try ownSource("Harness")
        let (continuations, continuationsText) = try ownSource("Continuations")
        let supportKey = CacheKey([
            "toolchain": toolchainKey.hex, "support": support.identity, "continuations": continuationsText,
        ])
        let harnessKey = CacheKey(["toolchain": toolchainKey.hex, "source": text])

        // On a fresh clone both have to be made, and neither needs the other.
        async let harness = asyncResult { [compiler] () async throws(GradingError) in
            try await cache.folder("harness", harnessKey) { folder throws(GradingError) in
                trace(TraceEvent(.compileHarness))
                try await runBlocking { () throws(GradingError) in try compileHarness(source, compiler, into: folder) }
            }
        }
        let supportFolder = try await cache.folder("support", supportKey) { [compiler] folder throws(GradingError) in
            trace(TraceEvent(.linkSupport))
            try await runBlocking { () throws(GradingError) in
                try linkSupport(support, compiler, into: folder)
                try compileContinuations(continuations, compiler, into: folder)
                try warm(compiler, support: folder)
            }
        }
        return BuildTools(
            compiler: compiler, support: support, learnerModules: supportFolder.appendingPathComponent("modules"),
            supportImage: supportFolder.appendingPathComponent("libSupport.\(Platform.sharedLibrarySuffix)"),
            exports: supportFolder.appendingPathComponent("exports"),
            harness: try await harness.get().appendingPathComponent("harness"),
            key: CacheKey(["support": supportKey.hex, "harness": harnessKey.hex]))
    }

    private static func ownSource(_ name: String) throws(GradingError) -> (file: URL, text: String) {
        guard let file = Bundle.module.url(forResource: name, withExtension: "swift"),
            let text = try? String(contentsOf: file, encoding: .utf8)
        else { throw GradingError(.supportNotBuilt, Bundle.module.bundlePath) }
        return (file, text)
    }

    private static func linkSupport(
        _ support: SupportLibraries, _ compiler: Compiler, into folder: URL
    ) throws(GradingError) {
        let modules = folder.appendingPathComponent("modules")
        let files = FileManager.default
        do {
            try files.createDirectory(at: modules, withIntermediateDirectories: true)
            let combine = support.modules.appendingPathComponent("Combine.swiftmodule")
            if files.fileExists(atPath: combine.path) {
                try files.copyItem(at: combine, to: modules.appendingPathComponent("Combine.swiftmodule"))
            }
            try Data("{ global: \(CompiledSuite.entryPoint); local: *; };\n".utf8)
                .write(to: folder.appendingPathComponent("exports"))
        } catch {
            throw GradingError(.folderNotWritable, folder.path, error.localizedDescription)
        }
        try run(
            compiler.toolchain.compiler.path,
            ["-emit-library", "-use-ld=lld", "-o", folder.appendingPathComponent("libSupport.so").path]
                + support.objects.map(\.path)
                + ["-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "--as-needed", "-Xlinker", "-soname=libSupport.so"]
                + ["Foundation", "FoundationNetworking", "swiftSynchronization", "swiftObservation", "swiftDispatch"]
                .flatMap {
                    ["-Xlinker", "-l\($0)"]
                },
            in: folder)
    }

    private static func compileContinuations(
        _ source: URL, _ compiler: Compiler, into folder: URL
    ) throws(GradingError) {
        let module = folder.appendingPathComponent("modules/\(continuations).swiftmodule").path
        let arguments =
            ["-frontend", "-emit-module", source.path] + compiler.baseArguments
            + [
                "-module-name", continuations, "-swift-version", "6", "-parse-as-library", "-module-cache-path",
                compiler.clangModules.path, "-emit-module-path", module,
            ]
        let result = try compiler.compile(arguments, in: folder)
        guard result.succeeded else {
            throw GradingError(.programFailed, compiler.toolchain.frontend.path, result.messages)
        }
    }

    /// The module that every submission imports.
    static let continuations = "Continuations"

    /// Lets the compiler make the Clang modules that submissions may import, since those cannot be written later.
    private static func warm(_ compiler: Compiler, support: URL) throws(GradingError) {
        let source = support.appendingPathComponent("Warm.swift")
        let modules = [
            "Combine", "Dispatch", "Foundation", "Observation", "RegexBuilder", "Synchronization", Platform.cLibrary,
        ]
        try? Data(modules.map { "import \($0)\n" }.joined().utf8).write(to: source)
        let arguments =
            compiler.arguments(
                module: "Warm", sources: [source.path], object: support.appendingPathComponent("warm.o").path)
            + ["-I", support.appendingPathComponent("modules").path]
        let result = try compiler.compile(arguments, in: support)
        guard result.succeeded else {
            throw GradingError(.programFailed, compiler.toolchain.frontend.path, result.messages)
        }
    }

    private static func compileHarness(_ source: URL, _ compiler: Compiler, into folder: URL) throws(GradingError) {
        // Everything that a suite or a submission may need is loaded with the harness: afterwards nothing can be.
        let libraries = [
            "Testing", "XCTest", "Foundation", "swiftSynchronization", "swiftObservation", "swiftRegexBuilder",
            "swiftSwiftOnoneSupport", "swift_StringProcessing", "swiftDispatch", "dispatch", "BlocksRuntime", "m",
        ]
        try run(
            compiler.toolchain.compiler.path,
            // The driver's own place for modules is in the home, where nothing of ours belongs.
            ["-O", "-swift-version", "5", "-parse-as-library", "-use-ld=lld", source.path]
                + ["-module-cache-path", compiler.clangModules.path, "-o"]
                + [folder.appendingPathComponent("harness").path, "-Xlinker", "--no-as-needed"]
                + libraries.map { "-l\($0)" },
            in: folder)
    }

    /// Runs the compiler's driver on code of ours.
    private static func run(_ program: String, _ arguments: [String], in folder: URL) throws(GradingError) {
        var environment = ProcessInfo.processInfo.environment
        environment["TMPDIR"] = folder.path
        let child = ChildProcess(program: program, arguments: arguments, environment: environment)
        var said: [UInt8] = []
        let result = try child.run(deadline: { .now + .seconds(300) }) { _, bytes in
            said += bytes
            return .proceed
        }
        guard result.ending == .exited(0) else {
            throw GradingError(.programFailed, program, String(decoding: said, as: UTF8.self))
        }
    }
}
