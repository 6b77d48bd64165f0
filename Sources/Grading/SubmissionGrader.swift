import Foundation
import Storage
import Workbook

/// Turns submissions into verdicts.
///
/// A grader belongs to one workbook and one set of options. It holds no state that a second grader, in this process or in
/// another one, could not share: what it prepares lies in the workbook's cache folder.
public struct SubmissionGrader: Sendable {
    private let context: GradingContext
    private let engine: any GradingEngine

    public var workbook: WorkbookFolder { context.workbook }
    public var options: GradingOptions { context.options }
    /// The sandbox that submissions run in; `nil` where they run in a plain process with limits.
    public var sandbox: Sandbox? { context.sandbox }

    /// Finds the compiler and the sandbox. Starts nothing but, once in a while, the sandbox for a try.
    public init(workbook: WorkbookFolder, options: GradingOptions = GradingOptions()) throws(GradingError) {
        var options = options
        options.jobs = options.limits.jobs(wanted: options.jobs, within: AvailableMemory.megabytes())
        let cache = CacheFolder(options.cacheFolder ?? workbook.graderFolder.appendingPathComponent("cache"))
        let toolchain = try Toolchain.locate()
        let sandbox: Sandbox? =
            switch (options.engine, options.sandbox) {
            case (.portable, _) where options.schedule != nil: throw GradingError(.portableRunsNoSchedule)
            case (.portable, .required): throw GradingError(.portableIsNotConfined)
            case (.portable, _), (.fast, .none): nil
            case (.fast, .whenAvailable): try? Sandbox.working(remembering: cache)
            case (.fast, .required): try Sandbox.working(remembering: cache)
            }
        context = GradingContext(
            workbook: workbook, options: options, toolchain: toolchain, sandbox: sandbox, cache: cache)
        engine =
            switch options.engine {
            case .portable: PortableEngine(context)
            case .fast:
                #if os(Linux)
                FastEngine(context)
                #else
                throw GradingError(.fastIsOnLinux)
                #endif
            }
    }

    /// Grades one submission. Whatever the submission does is in the verdict; what throws is the grader's own trouble.
    ///
    /// A task that is cancelled ends what it has started, and throws.
    ///
    /// - Parameter ignoringCache: whether it is graded again even where its verdict is known.
    public func grade(_ submission: Submission, ignoringCache: Bool = false) async throws(GradingError) -> Verdict {
        let start = ContinuousClock.now
        var verdict = try await verdict(on: submission, ignoringCache: ignoringCache)
        noteCode(of: submission, in: &verdict)
        verdict.seconds = start.duration(to: .now) / .seconds(1)
        return verdict
    }

    private func verdict(on submission: Submission, ignoringCache: Bool) async throws(GradingError) -> Verdict {
        let source: SourceFile
        do throws(Rejection) {
            source = try submission.source.get()
        } catch {
            return try Verdict(submission, .failure(.rejected(error)))
        }
        let stub = shippedStub(of: submission.kata)
        if stub == source { return .notStarted(submission) }

        let key = verdictKey(source, submission.kata, stub, try await engine.key(of: submission.kata))
        let isKept = options.schedule == nil
        if options.usesCache, isKept, !ignoringCache, let known = knownVerdict(key, of: submission) { return known }
        let result = await asyncResult { () async throws(GradingStop) in
            try await Shortage.wait { () async throws(GradingStop) in
                try await engine.grade(submission, source)
            } while: {
                $0.isShortage
            }
        }
        // What was cut short says nothing about the submission.
        if Task.isCancelled { throw GradingError(.abandoned, submission.kata.kata) }
        var unwritten: Set<String> = []
        var mentioned: Set<String> = []
        if case .success(let suite) = result {
            let parts = Set(submission.kata.tests.flatMap(\.parts))
            if let stub { unwritten = StubParts(stub.bytes).unwritten(parts, in: source.bytes) }
            if suite.tests.values.contains(where: \.isHang) {
                mentioned = StubParts.mentioned(parts, in: source.bytes)
            }
        }
        let verdict = try Verdict(submission, result, unwritten: unwritten, mentioned: mentioned)
        if verdict.isSettled, isKept, let data = try? JSONEncoder().encode(verdict) {
            context.cache.write(data, "verdict", key)
        }
        return verdict
    }

    /// A verdict that was kept, at the path by which the submission is known now.
    private func knownVerdict(_ key: CacheKey, of submission: Submission) -> Verdict? {
        guard let data = context.cache.read("verdict", key),
            var known = try? JSONDecoder().decode(Verdict.self, from: data)
        else { return nil }
        for index in known.diagnostics.indices where !known.diagnostics[index].file.isEmpty {
            known.diagnostics[index].file = submission.displayPath
        }
        return known
    }

    /// Grades many submissions, `options.jobs` at a time, and passes on each result as it is decided, one at a time.
    public func grade(
        _ submissions: [Submission], each: (Submission, Result<Verdict, GradingError>) async -> Void
    ) async {
        await forEachConcurrently(submissions, limit: options.jobs) { submission in
            await asyncResult { () async throws(GradingError) in try await grade(submission) }
        } each: {
            await each($0, $1)
        }
        context.cache.tidy()
    }

    /// Compiles what grading the kata needs in addition to the submission, where that isn't cached: worth doing while a
    /// learner still types.
    public func prepare(_ kata: Kata) async throws(GradingError) {
        try await engine.prepare(kata)
    }

    /// Whether a run of the kata's suite can explore orders of steps on this machine.
    func exploresOrders(of kata: Kata) async -> Bool { (try? await engine.exploresOrders(of: kata)) ?? false }

    /// The types of the kata's own that its suite compares by their `==`.
    func comparedTypes(of kata: Kata) async throws(GradingError) -> [String] {
        try await engine.comparedTypes(of: kata)
    }

    /// Ends whatever any grader of this process has started, so that nothing outlives a program that is about to end. What was
    /// being graded or prepared fails soon after.
    public static func endAllProcesses() { ChildProcess.endAll() }

    /// Ends the program as this signal does, with whatever any grader of it has started, and removes what is unfinished.
    /// A process that ends with it leads to no verdict.
    public static func endProgram(by signal: Int32) -> Never {
        ChildProcess.endAll {
            CacheFolder.removeUnfinished()
            endProcess(by: signal)
        }
    }

    /// The digest of everything that a verdict on this kata depends on, in addition to the submission.
    public func fingerprint(of kata: Kata) async throws(GradingError) -> String {
        verdictKey(SourceFile(bytes: []), kata, shippedStub(of: kata), try await engine.key(of: kata)).hex
    }

    /// The folders of the sources that suites are built with: KataSupport's, and Combine's where the platform has none.
    public static func supportSources(for workbook: WorkbookFolder) throws(GradingError) -> [URL] {
        try PortablePackage.support(for: workbook)
    }

    /// Builds the submission with some tests of one framework, to be run in a debugger.
    public func debugProgram(
        _ submission: Submission, tests: [KataTest]
    ) async throws(GradingError) -> DebugProgram.Build {
        let result = await asyncResult { () async throws(GradingStop) in
            let source: SourceFile
            do throws(Rejection) { source = try submission.source.get() } catch { throw GradingStop.rejected(error) }
            return try await PortableEngine(context).debugProgram(submission, source, tests: tests)
        }
        switch result {
        case .success(let program): return .done(program)
        case .failure(let stop): return .refused(try Verdict(submission, .failure(stop)))
        }
    }

    /// The compiler's version, as reports name it.
    public func swiftVersion() async -> String {
        await runBlocking { [context] _ in context.toolchain.version() }
    }

    private func shippedStub(of kata: Kata) -> SourceFile? {
        try? SourceFile(reading: workbook.shippedStub(kata.kata), limit: options.limits.sourceBytes)
    }

    /// Notes in a verdict what chooses its hints. A verdict that is kept does not depend on the texts of hints.
    private func noteCode(of submission: Submission, in verdict: inout Verdict) {
        guard verdict.outcome == .failed || verdict.outcome == .passed, let source = try? submission.source.get()
        else { return }
        verdict.uses = CodeFeature.found(in: source.bytes, of: HintRule.wordsSought(in: submission.kata))
        verdict.written = hintsWritten(in: source, verdict, submission.kata)
    }

    /// The hints for the tests that failed whose code the submission has already.
    private func hintsWritten(in source: SourceFile, _ verdict: Verdict, _ kata: Kata) -> [String] {
        guard let texts = try? StringCatalog(contentsOf: workbook.texts(kata.kata), language: .english) else {
            return []
        }
        let passed = Set(verdict.tests.filter { $0.outcome == .passed }.map(\.id))
        let hints = Set(kata.tests.filter { !passed.contains($0.id) }.flatMap { [$0.hint] + $0.hints.map(\.hint) })
        return hints.filter { hint in
            let key = KataTest.levelKeys(of: hint)[KataTest.hintLevels - 1]
            return texts.has(key) && HintCode(texts.text(key))?.stands(in: source.bytes) == true
        }.sorted()
    }

    /// Everything that a verdict follows from.
    private func verdictKey(_ source: SourceFile, _ kata: Kata, _ stub: SourceFile?, _ prepared: CacheKey) -> CacheKey {
        CacheKey([
            "source": source.text, "prepared": prepared.hex, "seed": "\(options.seed)", "limits": "\(options.limits)",
            "confirms": "\(options.confirmsPoints)",
            "sandbox": "\(sandbox != nil)", "parts": "\(kata.tests.map(\.parts))", "stub": stub?.text ?? "",
        ])
    }
}
