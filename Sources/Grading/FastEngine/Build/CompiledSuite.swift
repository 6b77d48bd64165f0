import Foundation
import Workbook

/// A kata's suite, compiled against the model answer: what all gradings of the kata share.
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

    static func make(
        _ kata: Kata, _ tools: BuildTools, _ context: GradingContext
    ) async throws(GradingError) -> CompiledSuite {
        let sources = try KataSources(kata, in: context.workbook)
        let list = xctestList(kata)
        let answerKey = CacheKey(["tools": tools.key.hex, "answer": sources.answerText])
        let key = CacheKey(["answer": answerKey.hex, "suite": sources.suiteText, "list": list])
        let folder = try await context.cache.folder("suite", key) { folder throws(GradingError) in
            let answer = try await context.cache.folder("answer", answerKey) { folder throws(GradingError) in
                context.trace(.compileAnswer, kata)
                let call = tools.submissionCall(kata, sources.answer.map(\.path), in: folder)
                try await runBlocking { _ throws(GradingError) in try run(call, kata) }
            }
            context.trace(.compileSuite, kata)
            let call = try suiteCall(kata, sources.suite, tools, against: answer, in: folder)
            try await runBlocking { _ throws(GradingError) in try run(call, kata) }
            try describe(folder, kata, answer)
        }
        func text(_ name: String) -> String {
            (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
        }
        func lines(_ name: String) -> Set<String> { Set(text(name).split(separator: "\n").map(String.init)) }
        let tests = kata.tests.map { "\($0.id) \($0.framework.rawValue) \($0.tier.rawValue) \($0.points)" }
        return CompiledSuite(
            kata: kata, sources: sources.suite, object: folder.appendingPathComponent("suite.o"), needs: lines("needs"),
            undefined: lines("undefined"), interface: ModuleInterface(text("interface")),
            key: CacheKey(["suite": key.hex, "tests": tests.joined(separator: "\n")]))
    }

    /// The call that compiles the suite, with its list of XCTest tests, against the kata's module in another folder.
    static func suiteCall(
        _ kata: Kata, _ sources: [URL], _ tools: BuildTools, against module: URL, in folder: URL
    ) throws(GradingError) -> CompilerCall {
        var files = sources.map(\.path)
        let list = xctestList(kata)
        if !list.isEmpty {
            let name = "KataXCTests.swift"
            guard (try? Data(list.utf8).write(to: folder.appendingPathComponent(name))) != nil else {
                throw GradingError(.folderNotWritable, folder.path, errorText(errno))
            }
            files.append(name)
        }
        return tools.suiteCall(kata, files, against: module, in: folder)
    }

    private static func run(_ call: CompilerCall, _ kata: Kata) throws(GradingError) {
        let output = try call.run()
        guard output.ending == .succeeded else { throw GradingError(.suiteDoesNotCompile, kata.kata, output.text) }
    }

    /// Keeps what gradings ask about the suite, so that they need not read its object.
    private static func describe(_ folder: URL, _ kata: Kata, _ answer: URL) throws(GradingError) {
        let suite = try ObjectFile(compiled: folder.appendingPathComponent("suite.o")).undefined
        let offered = try ObjectFile(compiled: answer.appendingPathComponent("\(kata.kata).o")).exported
        do {
            for (name, symbols) in ["needs": suite.intersection(offered), "undefined": suite] {
                try Data(symbols.sorted().joined(separator: "\n").utf8).write(to: folder.appendingPathComponent(name))
            }
            try FileManager.default.copyItem(
                at: answer.appendingPathComponent("\(kata.kata).swiftinterface"),
                to: folder.appendingPathComponent("interface"))
        } catch {
            throw GradingError(.folderNotWritable, folder.path, error.localizedDescription)
        }
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
            @_silgen_name("\(BuildTools.entryPoint)") public func kataXCTests() -> [(id: String, entry: XCTestCaseEntry)] {
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
