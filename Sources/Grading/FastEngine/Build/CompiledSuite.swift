import Foundation
import Storage
import Workbook

/// A kata's suite, compiled against the model answer: what all gradings of the kata share.
struct CompiledSuite: Sendable {
    var kata: Kata
    var sources: [URL]
    /// The list of its XCTest tests, as a source that is compiled with it.
    private var list: String
    /// The suite's object.
    var object: URL
    /// What the suite's object needs of the submission.
    var needs: Set<String>
    /// All that the suite's object needs.
    var undefined: Set<String>
    /// What the model answer offers.
    var interface: ModuleInterface
    /// The model answer's object.
    var answer: URL
    /// The digest of the suite, the answer, the tests and all that they are made with.
    var key: CacheKey

    static func make(
        _ kata: Kata, _ tools: BuildTools, _ context: GradingContext
    ) async throws(GradingError) -> CompiledSuite {
        let sources = try KataSources(kata, in: context.workbook)
        let answerKey = CacheKey(["tools": tools.key.hex, "answer": sources.answerText])
        let list = try xctestList(kata)
        let key = CacheKey([
            "answer": answerKey.hex, "suite": sources.suiteText, "tests": kata.tests.map(\.id).joined(separator: "\n"),
            "list": list,
        ])
        let folder = try await context.cache.folder("suite", key) { folder throws(GradingError) in
            let answer = try await context.cache.folder("answer", answerKey) { folder throws(GradingError) in
                context.trace(.compileAnswer, kata)
                try await runBlocking { _ throws(GradingError) in
                    let output = try tools.submissionCall(kata, sources.answer.map(\.path), in: folder).run()
                    if output.ending != .succeeded { throw doesNotCompile(kata, output) }
                }
            }
            context.trace(.compileSuite, kata)
            try await runBlocking { _ throws(GradingError) in
                let suite = try compile(
                    kata, sources.suite, list: list, tools, context.workbook, against: answer, in: folder)
                try describe(suite, kata, answer, in: folder)
            }
        }
        func text(_ name: String) -> String {
            (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
        }
        func lines(_ name: String) -> Set<String> { Set(text(name).split(separator: "\n").map(String.init)) }
        let tests = kata.tests.map { "\($0.id) \($0.framework.rawValue) \($0.tier.rawValue) \($0.points)" }
        return CompiledSuite(
            kata: kata, sources: sources.suite, list: list, object: folder.appendingPathComponent("suite.o"),
            needs: lines("needs"),
            undefined: lines("undefined"), interface: ModuleInterface(text("interface")),
            answer: folder.appendingPathComponent("\(kata.kata).o"),
            key: CacheKey(["suite": key.hex, "tests": tests.joined(separator: "\n")]))
    }

    /// Compiles the suite, and compares its tests with those of `kata.json`.
    private static func compile(
        _ kata: Kata, _ sources: [URL], list: String, _ tools: BuildTools, _ workbook: WorkbookFolder,
        against answer: URL, in folder: URL
    ) throws(GradingError) -> ObjectFile {
        func check() throws(GradingError) -> ObjectFile {
            let object = try ObjectFile(compiled: folder.appendingPathComponent("suite.o"))
            try SuiteTests(object, module: "\(kata.kata)Tests").check(kata, in: workbook)
            return object
        }
        let output = try call(kata, sources, list: list, tools, against: answer, in: folder).run()
        if output.ending == .succeeded { return try check() }
        // The list does not compile when it names a test that is not there: the suite without the list says which one.
        if try call(kata, sources, list: "", tools, against: answer, in: folder).run().ending == .succeeded {
            _ = try check()
        }
        throw doesNotCompile(kata, output)
    }

    private static func doesNotCompile(_ kata: Kata, _ output: CompilerOutput) -> GradingError {
        GradingError(.suiteDoesNotCompile, kata.kata, output.text)
    }

    /// The call that compiles the suite against a submission's own module in another folder.
    func call(_ tools: BuildTools, against module: URL, in folder: URL) throws(GradingError) -> CompilerCall {
        try Self.call(kata, sources, list: list, tools, against: module, in: folder)
    }

    private static func call(
        _ kata: Kata, _ sources: [URL], list: String, _ tools: BuildTools, against module: URL, in folder: URL
    ) throws(GradingError) -> CompilerCall {
        var files = sources.map(\.path)
        if !list.isEmpty {
            let name = "KataXCTests.swift"
            guard (try? Data(list.utf8).write(to: folder.appendingPathComponent(name))) != nil else {
                throw GradingError(.folderNotWritable, folder.path, errorText(errno))
            }
            files.append(name)
        }
        return tools.suiteCall(kata, files, against: module, in: folder)
    }

    /// Keeps what gradings ask about the suite, so that they need not read its object.
    private static func describe(
        _ suite: ObjectFile, _ kata: Kata, _ answer: URL, in folder: URL
    ) throws(GradingError) {
        let offered = try ObjectFile(compiled: answer.appendingPathComponent("\(kata.kata).o")).exported
        do {
            for (name, symbols) in ["needs": suite.undefined.intersection(offered), "undefined": suite.undefined] {
                try Data(symbols.sorted().joined(separator: "\n").utf8).write(to: folder.appendingPathComponent(name))
            }
            for (file, name) in [("\(kata.kata).swiftinterface", "interface"), ("\(kata.kata).o", "\(kata.kata).o")] {
                try FileManager.default.copyItem(
                    at: answer.appendingPathComponent(file), to: folder.appendingPathComponent(name))
            }
        } catch {
            throw GradingError(folder, notWritable: error)
        }
    }

    /// Linux has no Objective-C runtime to find XCTest's tests with, so they are listed, as SwiftPM does.
    private static func xctestList(_ kata: Kata) throws(GradingError) -> String {
        let tests = kata.tests.filter { $0.framework == .xctest }.compactMap { test -> String? in
            let parts = test.id.split(separator: "/")
            guard parts.count == 2 else { return nil }
            return "        (\"\(test.id)\", kataXCTest(\"\(parts[1])\", \(parts[0]).\(parts[1]))),"
        }
        if tests.isEmpty { return "" }
        return try OwnSource("Harness/InSuite/XCTestEntries").text + """

            @_silgen_name("\(LinkTools.entryPoint)") public func kataXCTests() -> [(id: String, entry: XCTestCaseEntry)] {
                [
            \(tests.joined(separator: "\n"))
                ]
            }
            """
    }
}

extension ObjectFile {
    /// Reads an object that the compiler has just made from code of the workbook's.
    init(compiled file: URL) throws(GradingError) {
        do {
            self = try ObjectFile([UInt8](Data(contentsOf: file)))
        } catch {
            throw GradingError(.programFailed, "swift-frontend", file.lastPathComponent)
        }
    }
}
