import Foundation
import Storage
import Workbook

/// Grades through SwiftPM alone, with what SwiftPM and the test frameworks document: for Macs, and for wherever the fast
/// engine cannot run.
///
/// It trusts the submission, which runs as a plain process of the learner's. So it is not for strangers' code.
struct PortableEngine: GradingEngine {
    let context: GradingContext

    init(_ context: GradingContext) {
        self.context = context
    }

    func key(of kata: Kata) async throws(GradingError) -> CacheKey {
        let sources = try KataSources(kata, in: context.workbook)
        let package = try PortablePackage(context)
        let tests = kata.tests.map { "\($0.id) \($0.framework.rawValue) \($0.tier.rawValue) \($0.points)" }
        return CacheKey([
            "engine": "portable \(PortablePackage.version) \(SwiftTest.buildSystem)",
            "compiler": context.toolchain.identity?.description ?? "", "support": package.supportIdentity,
            "answer": sources.answerText, "suite": sources.suiteText, "tests": tests.joined(separator: "\n"),
        ])
    }

    /// Builds everything with the model answer in the submission's place.
    func prepare(_ kata: Kata) async throws(GradingError) {
        let key = try await key(of: kata)
        let package = try PortablePackage(context)
        let sources = try KataSources(kata, in: context.workbook)
        try await runBlocking { [context] cancellation throws(GradingError) in
            let lock = try PackageLock(package.folder, kata, cancellation)
            defer { lock.release() }
            let grading = PortableGrading(context, package, sources, kata, key, cancellation)
            if !grading.isBuilt { try grading.buildModelAnswer() }
        }
    }

    func grade(_ submission: Submission, _ source: SourceFile) async throws(GradingStop) -> SuiteResult {
        try await exclusively(submission.kata) { grading throws(GradingStop) in try grading.run(submission, source) }
    }

    /// Works on the package while no other grading uses it.
    func exclusively<Result: Sendable>(
        _ kata: Kata, _ work: @escaping @Sendable (PortableGrading) throws(GradingStop) -> Result
    ) async throws(GradingStop) -> Result {
        let (key, package, sources): (CacheKey, PortablePackage, KataSources)
        do throws(GradingError) {
            key = try await self.key(of: kata)
            package = try PortablePackage(context)
            sources = try KataSources(kata, in: context.workbook)
        } catch {
            throw .trouble(error)
        }
        return try await runBlocking { [context] cancellation throws(GradingStop) in
            let lock = try asStep(try PackageLock(package.folder, kata, cancellation))
            defer { lock.release() }
            return try work(PortableGrading(context, package, sources, kata, key, cancellation))
        }
    }
}

/// Held by the one grading, of this process or another, that may change the package and build it.
private struct PackageLock {
    private let descriptor: Int32

    init(_ folder: URL, _ kata: Kata, _ cancellation: CancellationFlag) throws(GradingError) {
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        descriptor = open(folder.appendingPathComponent("lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        var code = descriptor < 0 ? errno : 0
        while code == 0, flock(descriptor, LOCK_EX) != 0 { code = errno == EINTR ? 0 : errno }
        if code != 0 { throw GradingError(.folderNotWritable, folder.path, errorText(code)) }
        if cancellation.isCancelled {
            release()
            throw GradingError(.abandoned, kata.kata)
        }
    }

    func release() { close(descriptor) }
}
