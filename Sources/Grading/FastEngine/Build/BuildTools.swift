import Foundation
import Workbook

/// What all submissions are built and run with: the compiler, the support libraries as one image, and the harness.
struct BuildTools: Sendable {
    var compiler: Compiler
    var support: SupportLibraries
    /// The modules that a submission may import in addition to those of the toolchain: Combine and `Checked`.
    var learnerModules: URL
    /// Compiled as part of every submission's module.
    var names: URL
    /// Compiled as part of a submission's module where it keeps a lock of the C library on the heap.
    var heapLocks: URL
    var supportImage: URL
    /// The linker's list of what a suite's image shows to others: its entry point only.
    var exports: URL
    /// The program that runs suites.
    var harness: URL
    /// The object of the tests that have to fail, and where each of its placeholders stands (see `ControlTests`).
    var controlTests: URL
    var controlPlaces: [[Int]]
    /// The digest of all of it.
    var key: CacheKey

    /// Changes with what the engine makes, so that nothing of an older engine is taken for its own.
    static let version = "11"
    /// The module that every submission imports: what Swift leaves unchecked, in versions that check.
    static let checkedModule = "Checked"
    /// The function of a suite's image that lists its XCTest tests.
    static let entryPoint = "kataXCTests"
    /// The one that lists those that have to fail.
    private static let controlEntryPoint = "kataControlTests"
    private static let controlObject = "controls.o"
    private static let controlPlaces = "controls.json"

    static func make(_ context: GradingContext) async throws(GradingError) -> BuildTools {
        let support = try SupportLibraries.locate()
        let compiler = try Compiler(context)
        let checked = try OwnSource.all(in: checkedModule)
        let names = try OwnSource("Names")
        let heapLocks = try OwnSource("HeapLocks")
        let controls = try OwnSource("ControlTests")
        let source = try OwnSource("Harness")
        let supportKey = CacheKey([
            "compiler": compiler.key.hex, "support": support.identity, "checked": checked.map(\.text).joined(),
            "names": names.text, "heapLocks": heapLocks.text, "controls": controls.text,
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
            try prepareModules(support, [names, heapLocks], in: folder)
            // The first save waits for all of it, so what does not need each other is made at the same time.
            async let controlTests = asyncResult { () async throws(GradingError) in
                try await runBlocking { _ throws(GradingError) in
                    try compileControls(controls.file, support, compiler, into: folder)
                    try makeClangModules(compiler, support: folder)
                }
            }
            let image = await asyncResult { () async throws(GradingError) in
                try await runBlocking { _ throws(GradingError) in
                    try compileChecked(checked, compiler, into: folder)
                    try linkSupport(support, compiler.toolchain, into: folder)
                }
            }
            try await controlTests.get()
            try image.get()
        }
        let modules = supportFolder.appendingPathComponent("modules")
        guard let places = try? Data(contentsOf: supportFolder.appendingPathComponent(controlPlaces)),
            let controlPlaces = try? JSONDecoder().decode([[Int]].self, from: places)
        else { throw GradingError(.supportNotBuilt, supportFolder.path) }
        return BuildTools(
            compiler: compiler, support: support, learnerModules: modules,
            names: modules.appendingPathComponent(names.file.lastPathComponent),
            heapLocks: modules.appendingPathComponent(heapLocks.file.lastPathComponent),
            supportImage: supportFolder.appendingPathComponent("libSupport.so"),
            exports: supportFolder.appendingPathComponent("exports"),
            harness: try await harness.get().appendingPathComponent("harness"),
            controlTests: supportFolder.appendingPathComponent(controlObject), controlPlaces: controlPlaces,
            key: CacheKey(["support": supportKey.hex, "harness": harnessKey.hex]))
    }

    /// The call that compiles a submission, or the model answer in its place, as a module that suites link with. It leaves
    /// `<Kata>.o`, `<Kata>.swiftmodule` and `<Kata>.swiftinterface` in the folder.
    func submissionCall(_ kata: Kata, _ sources: [String], in folder: URL) -> CompilerCall {
        let name = kata.kata
        return CompilerCall(
            compiler.toolchain,
            compiler.arguments(module: name, sources: sources + [names.path], object: "\(name).o")
                + [
                    "-enable-bare-slash-regex", "-parse-as-library", "-enable-library-evolution",
                    "-no-verify-emitted-module-interface",
                    "-emit-module-path", "\(name).swiftmodule", "-emit-module-interface-path",
                    "\(name).swiftinterface", "-I", learnerModules.path, "-import-module", Self.checkedModule,
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
            file = Bundle.module.bundleURL.appendingPathComponent("Harness/\(name).swift")
            guard let text = try? String(contentsOf: file, encoding: .utf8) else {
                throw GradingError(.supportNotBuilt, file.path)
            }
            self.text = text
        }

        private init(_ file: URL) throws {
            self.file = file
            text = try String(contentsOf: file, encoding: .utf8)
        }

        static func all(in folder: String) throws(GradingError) -> [OwnSource] {
            let folder = Bundle.module.bundleURL.appendingPathComponent(folder)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            let sources = try? names.sorted().map { try OwnSource(folder.appendingPathComponent($0)) }
            guard let sources, !sources.isEmpty else { throw GradingError(.supportNotBuilt, folder.path) }
            return sources
        }
    }

    private static func prepareModules(
        _ support: SupportLibraries, _ sources: [OwnSource], in folder: URL
    ) throws(GradingError) {
        let modules = folder.appendingPathComponent("modules")
        do {
            try FileManager.default.createDirectory(at: modules, withIntermediateDirectories: true)
            for file in [support.modules.appendingPathComponent("Combine.swiftmodule")] + sources.map(\.file) {
                try FileManager.default.copyItem(at: file, to: modules.appendingPathComponent(file.lastPathComponent))
            }
            try Data("{ global: \(entryPoint); \(controlEntryPoint); local: *; };\n".utf8)
                .write(to: folder.appendingPathComponent("exports"))
        } catch {
            throw GradingError(folder, notWritable: error)
        }
    }

    private static func compileChecked(
        _ sources: [OwnSource], _ compiler: Compiler, into folder: URL
    ) throws(GradingError) {
        try CompilerCall(
            compiler.toolchain,
            ["-frontend", "-c"] + sources.map(\.file.path) + compiler.baseArguments
                + [
                    "-module-name", checkedModule, "-swift-version", "6", "-parse-as-library",
                    // A mirror would show what its types keep to themselves.
                    "-disable-reflection-metadata",
                    "-module-cache-path", compiler.clangModules.path, "-emit-module", "-emit-module-path",
                    "modules/\(checkedModule).swiftmodule", "-o", "\(checkedModule).o",
                ],
            in: folder
        ).runOwnCode()
    }

    private static func linkSupport(
        _ support: SupportLibraries, _ toolchain: Toolchain, into folder: URL
    ) throws(GradingError) {
        let libraries = [
            "Foundation", "FoundationNetworking", "swiftSynchronization", "swiftObservation", "swiftDispatch",
        ]
        let linkerArguments =
            ["-z", "now", "-z", "relro", "--as-needed", "-soname=libSupport.so"] + libraries.map { "-l\($0)" }
        try CompilerCall(
            toolchain, usesDriver: true,
            ["-emit-library", "-use-ld=lld", "-o", "libSupport.so", "\(checkedModule).o"]
                + support.objects.map(\.path) + linkerArguments.flatMap { ["-Xlinker", $0] },
            in: folder
        ).runOwnCode()
    }

    private static func compileControls(
        _ source: URL, _ support: SupportLibraries, _ compiler: Compiler, into folder: URL
    ) throws(GradingError) {
        try CompilerCall(
            compiler.toolchain,
            compiler.arguments(module: "ControlTests", sources: [source.path], object: controlObject)
                + ["-parse-as-library", "-plugin-path", compiler.toolchain.testingMacros.path, "-suppress-warnings"]
                + ["-I", support.modules.path, "-I", "modules"],
            in: folder
        ).runOwnCode()
        do {
            let object = [UInt8](try Data(contentsOf: folder.appendingPathComponent(controlObject)))
            try JSONEncoder().encode(ControlTests.places(in: object))
                .write(to: folder.appendingPathComponent(controlPlaces))
        } catch {
            throw GradingError(folder, notWritable: error)
        }
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
            ["-swift-version", "5", "-parse-as-library", "-use-ld=lld", source.path, "-module-cache-path"]
                + [compiler.clangModules.path, "-o", "harness"]
                // What is bound late can be bound anew.
                + ["--no-as-needed", "-z", "now", "-z", "relro"].flatMap { ["-Xlinker", $0] }
                + libraries.map { "-l\($0)" },
            in: folder
        ).runOwnCode()
    }
}
