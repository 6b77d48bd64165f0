import Foundation
import Workbook

/// What the runs of one build of the grader share: the support libraries as one image, and the program that runs suites.
struct BuildTools: Sendable {
    var compiler: Compiler
    var support: SupportLibraries
    /// What a submission may import besides the toolchain's own modules: Combine, and the module of what is checked.
    var learnerModules: URL
    /// Compiled as part of every submission's module.
    var names: URL
    /// Compiled as part of a submission's module where it keeps a lock of the C library on the heap.
    var heapLocks: URL
    var supportImage: URL
    /// Keeps all but the entry points of a suite's image to itself.
    var exports: URL
    var harness: URL
    /// The object of the tests that have to fail, and where each of its placeholders stands.
    var controlTests: URL
    var controlPlaces: [[Int]]
    /// The digest of all of it.
    var key: CacheKey

    /// Changes with what the engine makes, so that nothing of an older engine is taken for its own.
    private static let version = "8"

    static func make(
        _ toolchain: Toolchain, cache: CacheFolder, trace: @escaping @Sendable (TraceEvent) -> Void
    ) async throws(GradingError) -> BuildTools {
        let support = try SupportLibraries.locate()
        var compiler = try Compiler.make(toolchain, cache: cache, trace: trace)
        // Clang's modules remember the path they were made at: a cache that has moved is made anew.
        let toolchainKey = CacheKey(["version": version, "compiler": compiler.identity, "place": cache.url.path])
        compiler.clangModules = cache.path("clang", toolchainKey)
        let (source, text) = try ownSource("Harness")
        let checked = try checkedSources()
        let (controls, controlsText) = try ownSource("ControlTests")
        let (names, namesText) = try ownSource("Names")
        let (heapLocks, heapLocksText) = try ownSource("HeapLocks")
        let supportKey = CacheKey([
            "toolchain": toolchainKey.hex, "support": support.identity, "names": namesText, "heapLocks": heapLocksText,
            "checked": checked.map(\.text).joined(), "controls": controlsText,
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
                try prepareModules(support, [names, heapLocks], in: folder)
                try compileChecked(checked.map(\.file), compiler, into: folder)
                try linkSupport(support, compiler, into: folder)
                try compileControls(controls, support, compiler, into: folder)
                try warm(compiler, support: folder)
            }
        }
        let modules = supportFolder.appendingPathComponent("modules")
        let places = try? JSONDecoder().decode(
            [[Int]].self, from: Data(contentsOf: supportFolder.appendingPathComponent(controlPlaces)))
        guard let places else { throw GradingError(.supportNotBuilt, supportFolder.path) }
        return BuildTools(
            compiler: compiler, support: support, learnerModules: modules,
            names: modules.appendingPathComponent(names.lastPathComponent),
            heapLocks: modules.appendingPathComponent(heapLocks.lastPathComponent),
            supportImage: supportFolder.appendingPathComponent("libSupport.\(Platform.sharedLibrarySuffix)"),
            exports: supportFolder.appendingPathComponent("exports"),
            harness: try await harness.get().appendingPathComponent("harness"),
            controlTests: supportFolder.appendingPathComponent(controlObject), controlPlaces: places,
            key: CacheKey(["support": supportKey.hex, "harness": harnessKey.hex]))
    }

    private static func ownSource(_ name: String) throws(GradingError) -> (file: URL, text: String) {
        guard let file = Bundle.module.url(forResource: name, withExtension: "swift"),
            let text = try? String(contentsOf: file, encoding: .utf8)
        else { throw GradingError(.supportNotBuilt, Bundle.module.bundlePath) }
        return (file, text)
    }

    private static func checkedSources() throws(GradingError) -> [(file: URL, text: String)] {
        let folder = Bundle.module.bundleURL.appendingPathComponent(checkedModule)
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let sources = files.sorted().map { folder.appendingPathComponent($0) }
        let texts = sources.compactMap { try? String(contentsOf: $0, encoding: .utf8) }
        guard !texts.isEmpty, texts.count == sources.count else {
            throw GradingError(.supportNotBuilt, Bundle.module.bundlePath)
        }
        return Array(zip(sources, texts))
    }

    private static func prepareModules(
        _ support: SupportLibraries, _ sources: [URL], in folder: URL
    ) throws(GradingError) {
        let modules = folder.appendingPathComponent("modules")
        let files = FileManager.default
        do {
            try files.createDirectory(at: modules, withIntermediateDirectories: true)
            let combine = support.modules.appendingPathComponent("Combine.swiftmodule")
            if files.fileExists(atPath: combine.path) {
                try files.copyItem(at: combine, to: modules.appendingPathComponent("Combine.swiftmodule"))
            }
            for source in sources {
                try files.copyItem(at: source, to: modules.appendingPathComponent(source.lastPathComponent))
            }
            try Data("{ global: \(CompiledSuite.entryPoint); \(controlEntryPoint); local: *; };\n".utf8)
                .write(to: folder.appendingPathComponent("exports"))
        } catch {
            throw GradingError(.folderNotWritable, folder.path, error.localizedDescription)
        }
    }

    private static func linkSupport(
        _ support: SupportLibraries, _ compiler: Compiler, into folder: URL
    ) throws(GradingError) {
        let image = folder.appendingPathComponent("libSupport.so").path
        let objects = support.objects.map(\.path) + [checkedObject(folder).path]
        let libraries = ["Foundation", "FoundationNetworking", "swiftSynchronization", "swiftObservation", "swiftDispatch"]
        let options = ["-z", "now", "-z", "relro", "--as-needed", "-soname=libSupport.so"] + libraries.map { "-l\($0)" }
        try run(
            compiler.toolchain.compiler.path,
            ["-emit-library", "-use-ld=lld", "-o", image] + objects + options.flatMap { ["-Xlinker", $0] }, in: folder)
    }

    private static func checkedObject(_ folder: URL) -> URL { folder.appendingPathComponent("\(checkedModule).o") }

    private static func compileChecked(_ sources: [URL], _ compiler: Compiler, into folder: URL) throws(GradingError) {
        let module = folder.appendingPathComponent("modules/\(checkedModule).swiftmodule").path
        let arguments =
            ["-frontend", "-c"] + sources.map(\.path) + compiler.baseArguments
            + [
                "-O", "-module-name", checkedModule, "-swift-version", "6", "-parse-as-library", "-module-cache-path",
                compiler.clangModules.path, "-emit-module", "-emit-module-path", module,
                "-o", checkedObject(folder).path,
            ]
        let result = try compiler.compile(arguments, in: folder)
        guard result.succeeded else {
            throw GradingError(.programFailed, compiler.toolchain.frontend.path, result.messages)
        }
    }

    private static func compileControls(
        _ source: URL, _ support: SupportLibraries, _ compiler: Compiler, into folder: URL
    ) throws(GradingError) {
        let object = folder.appendingPathComponent(controlObject)
        let arguments =
            compiler.arguments(module: "ControlTests", sources: [source.path], object: object.path)
            + ["-parse-as-library", "-plugin-path", compiler.toolchain.testingMacros.path, "-suppress-warnings"]
            + ["-I", support.modules.path, "-I", folder.appendingPathComponent("modules").path]
        let result = try compiler.compile(arguments, in: folder)
        guard result.succeeded else {
            throw GradingError(.programFailed, compiler.toolchain.frontend.path, result.messages)
        }
        do {
            let places = ControlTests.places(in: [UInt8](try Data(contentsOf: object)))
            try JSONEncoder().encode(places).write(to: folder.appendingPathComponent(controlPlaces))
        } catch {
            throw GradingError(.folderNotWritable, folder.path, error.localizedDescription)
        }
    }

    private static let controlObject = "controls.o"
    private static let controlPlaces = "controls.json"
    private static let controlEntryPoint = "kataControlTests"

    /// The module that every submission imports: what Swift leaves unchecked, in a version that checks.
    static let checkedModule = "Checked"

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
        var arguments = ["-O", "-swift-version", "5", "-parse-as-library", "-use-ld=lld", source.path]
        // The driver's own place for modules is in the home, where nothing of ours belongs.
        arguments += ["-module-cache-path", compiler.clangModules.path]
        arguments += ["-o", folder.appendingPathComponent("harness").path]
        // What is bound late can be bound anew.
        arguments += ["--no-as-needed", "-z", "now", "-z", "relro"].flatMap { ["-Xlinker", $0] }
        arguments += libraries.map { "-l\($0)" }
        try run(compiler.toolchain.compiler.path, arguments, in: folder)
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
