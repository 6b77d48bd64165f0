import Foundation
import Workbook

/// What all submissions are built and run with: the compiler, the support libraries as one image, and the harness.
struct BuildTools: Sendable {
    var compiler: Compiler
    var support: SupportLibraries
    /// The modules that a submission may import in addition to those of the toolchain: Combine and `Continuations`.
    var learnerModules: URL
    var supportImage: URL
    /// The linker's list of what a suite's image shows to others: its entry point only.
    var exports: URL
    /// The program that runs suites.
    var harness: URL
    /// The digest of all of it.
    var key: CacheKey

    /// Changes with what the engine makes, so that nothing of an older engine is taken for its own.
    static let version = "8"
    /// The module that every submission imports.
    static let continuations = "Continuations"
    /// The function of a suite's image that lists its XCTest tests.
    static let entryPoint = "kataXCTests"

    static func make(_ context: GradingContext) async throws(GradingError) -> BuildTools {
        let support = try SupportLibraries.locate()
        let compiler = try Compiler(context)
        let continuations = try OwnSource(Self.continuations)
        let source = try OwnSource("Harness")
        let supportKey = CacheKey([
            "compiler": compiler.key.hex, "support": support.identity, "continuations": continuations.text,
        ])
        let harnessKey = CacheKey(["compiler": compiler.key.hex, "source": source.text])

        // On a fresh clone both have to be made, and neither needs the other.
        async let harness = asyncResult { () async throws(GradingError) in
            try await context.cache.folder("harness", harnessKey) { folder throws(GradingError) in
                context.trace(.compileHarness)
                try await runBlocking { _ throws(GradingError) in
                    try compileHarness(source.file, compiler, into: folder)
                }
            }
        }
        let supportFolder = try await context.cache.folder("support", supportKey) { folder throws(GradingError) in
            context.trace(.linkSupport)
            try await runBlocking { _ throws(GradingError) in
                try linkSupport(support, compiler.toolchain, into: folder)
                try compileContinuations(continuations.file, compiler, into: folder)
                try makeClangModules(compiler, support: folder)
            }
        }
        return BuildTools(
            compiler: compiler, support: support, learnerModules: supportFolder.appendingPathComponent("modules"),
            supportImage: supportFolder.appendingPathComponent("libSupport.so"),
            exports: supportFolder.appendingPathComponent("exports"),
            harness: try await harness.get().appendingPathComponent("harness"),
            key: CacheKey(["support": supportKey.hex, "harness": harnessKey.hex]))
    }

    /// The call that compiles a submission, or the model answer in its place, as a module that suites link with. It leaves
    /// `<Kata>.o`, `<Kata>.swiftmodule` and `<Kata>.swiftinterface` in the folder.
    func submissionCall(_ kata: Kata, _ sources: [String], in folder: URL) -> CompilerCall {
        let name = kata.kata
        return CompilerCall(
            compiler.toolchain,
            compiler.arguments(module: name, sources: sources, object: "\(name).o")
                + [
                    "-parse-as-library", "-enable-library-evolution", "-no-verify-emitted-module-interface",
                    "-emit-module-path", "\(name).swiftmodule", "-emit-module-interface-path",
                    "\(name).swiftinterface", "-I", learnerModules.path, "-import-module", Self.continuations,
                ],
            in: folder)
    }

    /// The call that compiles a suite against the kata's module in another folder. It leaves `suite.o` in the folder.
    func suiteCall(_ kata: Kata, _ sources: [String], against module: URL, in folder: URL) -> CompilerCall {
        CompilerCall(
            compiler.toolchain,
            compiler.arguments(module: "\(kata.kata)Tests", sources: sources, object: "suite.o")
                + [
                    "-parse-as-library", "-plugin-path", compiler.toolchain.testingMacros.path, "-suppress-warnings",
                    "-I", module.path, "-I", support.modules.path, "-I", learnerModules.path,
                ],
            in: folder)
    }

    /// A source of the grader's own that is compiled by the compiler that is there.
    private struct OwnSource {
        var file: URL
        var text: String

        init(_ name: String) throws(GradingError) {
            guard let file = Bundle.module.url(forResource: name, withExtension: "swift"),
                let text = try? String(contentsOf: file, encoding: .utf8)
            else { throw GradingError(.supportNotBuilt, Bundle.module.bundlePath) }
            self.file = file
            self.text = text
        }
    }

    private static func linkSupport(
        _ support: SupportLibraries, _ toolchain: Toolchain, into folder: URL
    ) throws(GradingError) {
        let modules = folder.appendingPathComponent("modules")
        do {
            try FileManager.default.createDirectory(at: modules, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: support.modules.appendingPathComponent("Combine.swiftmodule"),
                to: modules.appendingPathComponent("Combine.swiftmodule"))
            try Data("{ global: \(entryPoint); local: *; };\n".utf8)
                .write(to: folder.appendingPathComponent("exports"))
        } catch {
            throw GradingError(.folderNotWritable, folder.path, error.localizedDescription)
        }
        let libraries = [
            "Foundation", "FoundationNetworking", "swiftSynchronization", "swiftObservation", "swiftDispatch",
        ]
        let linkerArguments = ["-z", "now", "--as-needed", "-soname=libSupport.so"] + libraries.map { "-l\($0)" }
        try CompilerCall(
            toolchain, usesDriver: true,
            ["-emit-library", "-use-ld=lld", "-o", "libSupport.so"] + support.objects.map(\.path)
                + linkerArguments.flatMap { ["-Xlinker", $0] },
            in: folder
        ).runOwnCode()
    }

    private static func compileContinuations(
        _ source: URL, _ compiler: Compiler, into folder: URL
    ) throws(GradingError) {
        try CompilerCall(
            compiler.toolchain,
            ["-frontend", "-emit-module", source.path] + compiler.baseArguments
                + [
                    "-module-name", continuations, "-swift-version", "6", "-parse-as-library", "-module-cache-path",
                    compiler.clangModules.path, "-emit-module-path", "modules/\(continuations).swiftmodule",
                ],
            in: folder
        ).runOwnCode()
    }

    /// Lets the compiler make the Clang modules that submissions may import, since it cannot write them when it is confined.
    private static func makeClangModules(_ compiler: Compiler, support: URL) throws(GradingError) {
        let modules = [
            "Combine", "Dispatch", "Foundation", "Glibc", "Observation", "RegexBuilder", "Synchronization",
        ]
        let source = support.appendingPathComponent("Imports.swift")
        try? Data(modules.map { "import \($0)\n" }.joined().utf8).write(to: source)
        try CompilerCall(
            compiler.toolchain,
            compiler.arguments(module: "Imports", sources: ["Imports.swift"], object: "imports.o") + ["-I", "modules"],
            in: support
        ).runOwnCode()
    }

    private static func compileHarness(_ source: URL, _ compiler: Compiler, into folder: URL) throws(GradingError) {
        // Everything that a suite or a submission may need is loaded with the harness: afterwards nothing can be.
        let libraries = [
            "Testing", "XCTest", "Foundation", "swiftSynchronization", "swiftObservation", "swiftRegexBuilder",
            "swiftSwiftOnoneSupport", "swift_StringProcessing", "swiftDispatch", "dispatch", "BlocksRuntime", "m",
        ]
        try CompilerCall(
            compiler.toolchain, usesDriver: true,
            ["-O", "-swift-version", "5", "-parse-as-library", "-use-ld=lld", source.path, "-module-cache-path"]
                + [compiler.clangModules.path, "-o", "harness", "-Xlinker", "--no-as-needed"]
                + libraries.map { "-l\($0)" },
            in: folder
        ).runOwnCode()
    }
}
