import Foundation
import Workbook

/// What the runs of one build of the grader share: the support libraries as one image, and the program that runs suites.
struct Workshop: Sendable {
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
    ) async throws(GradingError) -> Workshop {
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
        async let harness = attempt { [compiler] () async throws(GradingError) in
            try await cache.folder("harness", harnessKey) { folder throws(GradingError) in
                trace(TraceEvent(.compileHarness))
                try await onThread { () throws(GradingError) in try compileHarness(source, compiler, into: folder) }
            }
        }
        let supportFolder = try await cache.folder("support", supportKey) { [compiler] folder throws(GradingError) in
            trace(TraceEvent(.linkSupport))
            try await onThread { () throws(GradingError) in
                try linkSupport(support, compiler, into: folder)
                try compileContinuations(continuations, compiler, into: folder)
                try warm(compiler, support: folder)
            }
        }
        return Workshop(
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
            try Data("{ global: \(SuiteMaterials.entryPoint); local: *; };\n".utf8)
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
    fileprivate static let continuations = "Continuations"

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
            return .goOn
        }
        guard result.ending == .exited(0) else {
            throw GradingError(.programFailed, program, String(decoding: said, as: UTF8.self))
        }
    }
}

/// What the gradings of one kata share: its suite, compiled against the model answer.
struct SuiteMaterials: Sendable {
    var kata: Kata
    var sources: [URL]
    /// The suite's object.
    var object: URL
    /// What the suite's object needs of the submission.
    var needs: Set<String>
    /// All that the suite's object needs.
    var undefined: Set<String>
    /// What the model answer offers.
    var interface: Interface
    /// The digest of the suite, the answer, the tests and all that they are made with.
    var key: CacheKey

    /// The function of a suite's image that lists its XCTest tests.
    static let entryPoint = "kataXCTests"

    static func make(
        _ kata: Kata, workbook: WorkbookFolder, workshop: Workshop, cache: CacheFolder,
        trace: @escaping @Sendable (TraceEvent) -> Void
    ) async throws(GradingError) -> SuiteMaterials {
        let answers = try swiftFiles(workbook.solution(kata.kata), of: kata)
        let sources = try swiftFiles(workbook.suite(kata.kata), of: kata)
        let list = xctestList(kata)
        let answerKey = CacheKey(["workshop": workshop.key.hex, "answer": try text(of: answers)])
        let tests = kata.tests.map { "\($0.id) \($0.framework.rawValue) \($0.tier.rawValue) \($0.points)" }
        let key = CacheKey(["answer": answerKey.hex, "suite": try text(of: sources), "list": list])
        let folder = try await cache.folder("suite", key) { folder throws(GradingError) in
            let answer = try await cache.folder("answer", answerKey) { folder throws(GradingError) in
                trace(TraceEvent(.compileAnswer, kata: kata.kata))
                try await onThread { () throws(GradingError) in try compileAnswer(kata, answers, workshop, into: folder)
                }
            }
            trace(TraceEvent(.compileSuite, kata: kata.kata))
            let compiled = try await onThread { () throws(GradingError) in
                try compileSuite(kata.kata, sources: sources, list: list, interface: answer, workshop, into: folder)
            }
            guard compiled.succeeded else { throw GradingError(.suiteDoesNotCompile, kata.kata, compiled.messages) }
            do {
                let suite = try object(folder.appendingPathComponent("suite.o")).undefined
                let offered = try object(answer.appendingPathComponent("answer.o")).exported
                try Data(suite.intersection(offered).sorted().joined(separator: "\n").utf8)
                    .write(to: folder.appendingPathComponent("needs"))
                try Data(suite.sorted().joined(separator: "\n").utf8).write(
                    to: folder.appendingPathComponent("undefined"))
                try FileManager.default.copyItem(
                    at: answer.appendingPathComponent("\(kata.kata).swiftinterface"),
                    to: folder.appendingPathComponent("interface"))
            } catch let error as GradingError {
                throw error
            } catch {
                throw GradingError(.folderNotWritable, folder.path, "\(error)")
            }
        }
        func lines(_ name: String) -> Set<String> {
            let text = (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
            return Set(text.split(separator: "\n").map(String.init))
        }
        return SuiteMaterials(
            kata: kata, sources: sources, object: folder.appendingPathComponent("suite.o"), needs: lines("needs"),
            undefined: lines("undefined"),
            interface: Interface(
                (try? String(contentsOf: folder.appendingPathComponent("interface"), encoding: .utf8)) ?? ""),
            key: CacheKey(["suite": key.hex, "tests": tests.joined(separator: "\n")]))
    }

    private static func swiftFiles(_ folder: URL, of kata: Kata) throws(GradingError) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let files = names.filter { $0.hasSuffix(".swift") }.sorted().map { folder.appendingPathComponent($0) }
        guard !files.isEmpty else { throw GradingError(.noSuite, kata.kata, folder.path) }
        return files
    }

    private static func text(of files: [URL]) throws(GradingError) -> String {
        var text = ""
        for file in files {
            guard let content = try? String(contentsOf: file, encoding: .utf8) else {
                throw GradingError(.noSuite, file.lastPathComponent, file.path)
            }
            text += "\(file.lastPathComponent) \(content.utf8.count)\n\(content)"
        }
        return text
    }

    /// Linux has no Objective-C runtime to find XCTest's tests with, so they are listed, as SwiftPM does.
    private static func xctestList(_ kata: Kata) -> String {
        let tests = kata.tests.filter { $0.framework == .xctest }.compactMap { test -> String? in
            let parts = test.id.split(separator: "/")
            guard parts.count == 2 else { return nil }
            return "        (\"\(test.id)\", kataXCTest(\"\(parts[1])\", \(parts[0]).\(parts[1]))),"
        }
        if tests.isEmpty { return "" }
        return """
            import XCTest
            func kataXCTest<T: XCTestCase>(_ name: String, _ test: @escaping (T) -> () throws -> Void) -> XCTestCaseEntry {
                testCase([(name, test)])
            }
            func kataXCTest<T: XCTestCase>(_ name: String, _ test: @escaping (T) -> () async throws -> Void) -> XCTestCaseEntry {
                testCase([(name, asyncTest(test))])
            }
            @_silgen_name("\(entryPoint)") public func kataXCTests() -> [(id: String, entry: XCTestCaseEntry)] {
                [
            \(tests.joined(separator: "\n"))
                ]
            }
            """
    }

    static func object(_ file: URL) throws(GradingError) -> ObjectFile {
        do {
            return try ObjectFile([UInt8](Data(contentsOf: file)))
        } catch {
            throw GradingError(.programFailed, "swift-frontend", file.lastPathComponent)
        }
    }

    /// The arguments by which a submission, or the model answer in its stead, is compiled as a module that suites link with.
    static func moduleArguments(_ kata: String, sources: [String], workshop: Workshop, object: String, folder: String)
        -> [String]
    {
        workshop.compiler.arguments(module: kata, sources: sources, object: object)
            + [
                "-parse-as-library", "-enable-library-evolution", "-no-verify-emitted-module-interface",
                "-emit-module-path", folder + "\(kata).swiftmodule", "-emit-module-interface-path",
                folder + "\(kata).swiftinterface", "-I", workshop.learnerModules.path, "-import-module",
                Workshop.continuations,
            ]
    }

    private static func compileAnswer(
        _ kata: Kata, _ sources: [URL], _ workshop: Workshop, into folder: URL
    ) throws(GradingError) {
        let arguments = moduleArguments(
            kata.kata, sources: sources.map(\.path), workshop: workshop,
            object: folder.appendingPathComponent("answer.o").path, folder: folder.path + "/")
        let result = try workshop.compiler.compile(arguments, in: folder)
        guard result.succeeded else { throw GradingError(.suiteDoesNotCompile, kata.kata, result.messages) }
    }

    /// Compiles the suite against the module that lies in `interface`.
    static func compileSuite(
        _ kata: String, sources: [URL], list: String, interface: URL, _ workshop: Workshop, into folder: URL
    ) throws(GradingError) -> (succeeded: Bool, messages: String) {
        let (arguments, listFile) = suiteArguments(
            kata, sources: sources, list: list, interface: interface.path, workshop, folder: folder.path)
        if let listFile { try? Data(list.utf8).write(to: listFile) }
        return try workshop.compiler.compile(arguments, in: folder)
    }

    private static func suiteArguments(
        _ kata: String, sources: [URL], list: String, interface: String, _ workshop: Workshop, folder: String
    ) -> ([String], URL?) {
        var files = sources.map(\.path)
        var listFile: URL?
        if !list.isEmpty {
            let file = URL(fileURLWithPath: folder).appendingPathComponent("KataXCTests.swift")
            listFile = file
            files.append(file.path)
        }
        let toolchain = workshop.compiler.toolchain
        return (
            workshop.compiler.arguments(module: "\(kata)Tests", sources: files, object: folder + "/suite.o")
                + ["-parse-as-library", "-plugin-path", toolchain.testingMacros.path, "-suppress-warnings"]
                + ["-I", interface, "-I", workshop.support.modules.path, "-I", workshop.learnerModules.path],
            listFile
        )
    }

    /// Compiles the suite against a submission's own module, for one whose interface is not the model answer's.
    ///
    /// The compiler reads what a stranger wrote, so it is confined as for the submission itself.
    func compile(
        against module: URL, _ workshop: Workshop, into folder: URL, sandbox: Sandbox?, limits: Limits
    ) throws(GradingError) -> (succeeded: Bool, messages: String) {
        let list = Self.xctestList(kata)
        let inside = sandbox == nil ? folder.path : "/kata"
        let moduleFolder = sandbox == nil ? module.path : "/module"
        let (arguments, listFile) = Self.suiteArguments(
            kata.kata, sources: sources, list: list, interface: moduleFolder, workshop, folder: inside)
        if let listFile { try? Data(list.utf8).write(to: folder.appendingPathComponent(listFile.lastPathComponent)) }
        var place = Confinement(folder: inside)
        let toolchain = workshop.compiler.toolchain.root.path
        place.readable = [(toolchain, toolchain), ("/usr/include", "/usr/include"), ("/module", module.path)]
        for url in sources + [workshop.support.modules, workshop.learnerModules, workshop.compiler.clangModules] {
            place.readable.append((url.path, url.path))
        }
        place.writable = ("/kata", folder.path)
        place.environment = ["PATH": "/usr/bin:/bin", "TMPDIR": inside, "HOME": inside]
        place.memoryMegabytes = limits.compileMegabytes
        place.processorSeconds = Int(limits.compileSeconds.rounded(.up)) + 1
        var said: [UInt8] = []
        let end = ContinuousClock.now + .seconds(limits.compileSeconds)
        let result = try ChildProcess(workshop.compiler.toolchain.frontend.path, arguments, in: place, sandbox: sandbox)
            .run(deadline: { end }) { _, bytes in
                said += bytes
                return said.count < 1 << 22 ? .goOn : .stop
            }
        return (result.ending == .exited(0), String(decoding: said, as: UTF8.self))
    }
}
