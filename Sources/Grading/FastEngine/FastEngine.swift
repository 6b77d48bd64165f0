import Foundation
import Workbook

/// Grades by calling the compiler and the linker itself, one kata at a time: about the time of one compile.
///
/// It reads ELF objects and needs `lld` and an XCTest without Objective-C, so it works on Linux only.
struct FastEngine: GradingEngine {
    let context: GradingContext
    private let compilers = MakeOnce<CacheFolder, Compiler>()
    private let buildTools = MakeOnce<CacheFolder, BuildTools>()
    private let linkTools = MakeOnce<CacheFolder, LinkTools>()
    private let harnesses = MakeOnce<CacheFolder, HarnessProgram>()
    private let suites = MakeOnce<String, CompiledSuite>()
    private let profiles = MakeOnce<String, SuiteProfile>()

    init(_ context: GradingContext) {
        self.context = context
    }

    func key(of kata: Kata) async throws(GradingError) -> CacheKey {
        let materials = try await materials(for: kata)
        return CacheKey([
            "suite": materials.suite.key.hex, "link": materials.linkTools.key.hex, "harness": materials.harness.key.hex,
        ])
    }

    func prepare(_ kata: Kata) async throws(GradingError) {
        _ = try await profile(of: kata, try await materials(for: kata))
    }

    func comparedTypes(of kata: Kata) async throws(GradingError) -> [String] {
        ComparedTypes.names(in: try await materials(for: kata).suite.undefined, of: kata.kata)
    }

    func exploresOrders(of kata: Kata) async throws(GradingError) -> Bool {
        let harness = try await materials(for: kata).harness
        return try await runBlocking { cancellation throws(GradingError) in
            try harness.exploresOrders(context, cancellation)
        }
    }

    func grade(_ submission: Submission, _ source: SourceFile) async throws(GradingStop) -> SuiteResult {
        let (materials, profile, folder): (GradingMaterials, SuiteProfile, URL)
        do throws(GradingError) {
            materials = try await self.materials(for: submission.kata)
            profile = try await self.profile(of: submission.kata, materials)
            folder = try context.cache.newFolder("grading")
        } catch {
            throw .trouble(error)
        }
        return try await runBlocking { cancellation throws(GradingStop) in
            defer { try? FileManager.default.removeItem(at: folder) }
            return try FastGrading(
                context: context, materials: materials, profile: profile, submission: submission, source: source,
                folder: folder, cancellation: cancellation
            ).run()
        }
    }

    /// On a fresh clone all of it has to be made, and a learner waits for it: what does not need each other is made at the
    /// same time.
    private func materials(for kata: Kata) async throws(GradingError) -> GradingMaterials {
        let context = context
        let compiler = try await compilers.value(context.cache) { () async throws(GradingError) in
            try Compiler(context)
        }
        async let program = asyncResult { () async throws(GradingError) in
            try await harnesses.value(context.cache) { () async throws(GradingError) in
                try await HarnessProgram.make(compiler, context)
            }
        }
        let tools = try await buildTools.value(context.cache) { () async throws(GradingError) in
            try await BuildTools.make(compiler, context)
        }
        async let link = asyncResult { () async throws(GradingError) in
            try await linkTools.value(context.cache) { () async throws(GradingError) in
                try await LinkTools.make(tools, context)
            }
        }
        let suite = try await suites.value(kata.kata) { () async throws(GradingError) in
            try await CompiledSuite.make(kata, tools, context)
        }
        return GradingMaterials(
            tools: tools, linkTools: try await link.get(), harness: try await program.get(), suite: suite)
    }

    private func profile(of kata: Kata, _ materials: GradingMaterials) async throws(GradingError) -> SuiteProfile {
        let context = context
        // One order alone says nothing of how many there are.
        if context.options.schedule != nil { return SuiteProfile() }
        return try await profiles.value(kata.kata, isKept: \.isComplete) { () async throws(GradingError) in
            try await SuiteProfile.make(kata, materials, context)
        }
    }
}
