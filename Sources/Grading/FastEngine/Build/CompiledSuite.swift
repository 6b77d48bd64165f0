import Foundation
import Workbook

/// What the gradings of one kata share: its suite, compiled against the model answer.
struct CompiledSuite: Sendable {
    var kata: Kata
    var sources: [URL]
    /// The suite's object.
    var object: URL
    /// What the suite's object needs of the submission.
    var needs: Set<String>
    /// All that the suite's object needs.
    var undefined: Set<String>
    /// What the model answer offers.
    var interface: ModuleInterface
    /// The digest of the suite, the answer, the tests and all that they are made with.
    var key: CacheKey

    /// The function of a suite's image that lists its XCTest tests.
    static let entryPoint = "kataXCTests"

    static func make(
        _ kata: Kata, workbook: WorkbookFolder, tools: BuildTools, cache: CacheFolder,
        trace: @escaping @Sendable (TraceEvent) -> Void
    ) async throws(GradingError) -> CompiledSuite {
        let answers = try swiftFiles(workbook.solution(kata.kata), of: kata)
        let sources = try swiftFiles(workbook.suite(kata.kata), of: kata)
        let list = xctestList(kata)
        let answerKey = CacheKey(["tools": tools.key.hex, "answer": try text(of: answers)])
        let tests = kata.tests.map { "\($0.id) \($0.framework.rawValue) \($0.tier.rawValue) \($0.points)" }
        let key = CacheKey(["answer": answerKey.hex, "suite": try text(of: sources), "list": list])
        let folder = try await cache.folder("suite", key) { folder throws(GradingError) in
            let answer = try await cache.folder("answer", answerKey) { folder throws(GradingError) in
                trace(TraceEvent(.compileAnswer, kata: kata.kata))
                try await runBlocking { () throws(GradingError) in try compileAnswer(kata, answers, tools, into: folder)
                }
            }
            trace(TraceEvent(.compileSuite, kata: kata.kata))
            let compiled = try await runBlocking { () throws(GradingError) in
                try compileSuite(kata.kata, sources: sources, list: list, interface: answer, tools, into: folder)
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
        return CompiledSuite(
            kata: kata, sources: sources, object: folder.appendingPathComponent("suite.o"), needs: lines("needs"),
            undefined: lines("undefined"),
            interface: ModuleInterface(
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
    static func moduleArguments(_ kata: String, sources: [String], tools: BuildTools, object: String, folder: String)
        -> [String]
    {
        tools.compiler.arguments(module: kata, sources: sources + [tools.names.path], object: object)
            + [
                "-enable-bare-slash-regex", "-parse-as-library", "-enable-library-evolution", "-no-verify-emitted-module-interface",
                "-emit-module-path", folder + "\(kata).swiftmodule", "-emit-module-interface-path",
                folder + "\(kata).swiftinterface", "-I", tools.learnerModules.path, "-import-module",
                BuildTools.checkedModule,
            ]
    }

    private static func compileAnswer(
        _ kata: Kata, _ sources: [URL], _ tools: BuildTools, into folder: URL
    ) throws(GradingError) {
        let arguments = moduleArguments(
            kata.kata, sources: sources.map(\.path), tools: tools,
            object: folder.appendingPathComponent("answer.o").path, folder: folder.path + "/")
        let result = try tools.compiler.compile(arguments, in: folder)
        guard result.succeeded else { throw GradingError(.suiteDoesNotCompile, kata.kata, result.messages) }
    }

    /// Compiles the suite against the module that lies in `interface`.
    static func compileSuite(
        _ kata: String, sources: [URL], list: String, interface: URL, _ tools: BuildTools, into folder: URL
    ) throws(GradingError) -> (succeeded: Bool, messages: String) {
        let (arguments, listFile) = suiteArguments(
            kata, sources: sources, list: list, interface: interface.path, tools, folder: folder.path)
        if let listFile { try? Data(list.utf8).write(to: listFile) }
        return try tools.compiler.compile(arguments, in: folder)
    }

    private static func suiteArguments(
        _ kata: String, sources: [URL], list: String, interface: String, _ tools: BuildTools, folder: String
    ) -> ([String], URL?) {
        var files = sources.map(\.path)
        var listFile: URL?
        if !list.isEmpty {
            let file = URL(fileURLWithPath: folder).appendingPathComponent("KataXCTests.swift")
            listFile = file
            files.append(file.path)
        }
        let toolchain = tools.compiler.toolchain
        return (
            tools.compiler.arguments(module: "\(kata)Tests", sources: files, object: folder + "/suite.o")
                + ["-parse-as-library", "-plugin-path", toolchain.testingMacros.path, "-suppress-warnings"]
                + ["-I", interface, "-I", tools.support.modules.path, "-I", tools.learnerModules.path],
            listFile
        )
    }

    /// Compiles the suite against a submission's own module, for one whose interface is not the model answer's.
    ///
    /// The compiler reads what a stranger wrote, so it is confined as for the submission itself.
    func compile(
        against module: URL, _ tools: BuildTools, into folder: URL, sandbox: Sandbox?, limits: Limits
    ) throws(GradingError) -> (succeeded: Bool, messages: String) {
        let list = Self.xctestList(kata)
        let inside = sandbox == nil ? folder.path : "/kata"
        let moduleFolder = sandbox == nil ? module.path : "/module"
        let (arguments, listFile) = Self.suiteArguments(
            kata.kata, sources: sources, list: list, interface: moduleFolder, tools, folder: inside)
        if let listFile { try? Data(list.utf8).write(to: folder.appendingPathComponent(listFile.lastPathComponent)) }
        var confinement = Confinement(folder: inside)
        let toolchain = tools.compiler.toolchain.root.path
        confinement.readable = [(toolchain, toolchain), ("/usr/include", "/usr/include"), ("/module", module.path)]
        for url in sources + [tools.support.modules, tools.learnerModules, tools.compiler.clangModules] {
            confinement.readable.append((url.path, url.path))
        }
        confinement.writable = ("/kata", folder.path)
        confinement.environment = ["PATH": "/usr/bin:/bin", "TMPDIR": inside, "HOME": inside]
        confinement.memoryMegabytes = limits.compileMegabytes
        confinement.processorSeconds = Int(limits.compileSeconds.rounded(.up)) + 1
        var said: [UInt8] = []
        let end = ContinuousClock.now + .seconds(limits.compileSeconds)
        let result = try ChildProcess(
            tools.compiler.toolchain.frontend.path, arguments, in: confinement, sandbox: sandbox
        )
        .run(deadline: { end }) { _, bytes in
            said += bytes
            return said.count < 1 << 22 ? .proceed : .stop
        }
        return (result.ending == .exited(0), String(decoding: said, as: UTF8.self))
    }
}
