import Foundation
import Workbook

/// Grades by calling the compiler and the linker itself, one kata at a time: about the time of one compile.
///
/// It reads ELF objects and needs `lld` and an XCTest without Objective-C, so it works on Linux only.
struct FastEngine: GradingEngine {
    let context: GradingContext
    private let tools = MakeOnce<CacheFolder, BuildTools>()
    private let suites = MakeOnce<String, CompiledSuite>()

    init(_ context: GradingContext) {
        self.context = context
    }

    func key(of kata: Kata) async throws(GradingError) -> CacheKey { try await suite(kata).key }

    func prepare(_ kata: Kata) async throws(GradingError) { _ = try await suite(kata) }

    func grade(_ submission: Submission, _ source: SourceFile) async throws(GradingStop) -> SuiteResult {
        let (tools, suite, folder): (BuildTools, CompiledSuite, URL)
        do throws(GradingError) {
            tools = try await buildTools()
            suite = try await self.suite(submission.kata)
            folder = try context.cache.newFolder("grading")
        } catch {
            throw .trouble(error)
        }
        return try await runBlocking { cancellation throws(GradingStop) in
            defer { try? FileManager.default.removeItem(at: folder) }
            return try FastGrading(
                context: context, tools: tools, suite: suite, submission: submission, source: source, folder: folder,
                cancellation: cancellation
            ).run()
        }
    }

    private func buildTools() async throws(GradingError) -> BuildTools {
        try await tools.value(context.cache) { () async throws(GradingError) in try await BuildTools.make(context) }
    }

    private func suite(_ kata: Kata) async throws(GradingError) -> CompiledSuite {
        let tools = try await buildTools()
        return try await suites.value(kata.kata) { () async throws(GradingError) in
            try await CompiledSuite.make(kata, tools, context)
        }
    }
}
