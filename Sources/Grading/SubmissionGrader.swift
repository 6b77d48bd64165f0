import Foundation
import Workbook

/// Turns submissions into verdicts.
///
/// A grader belongs to one workbook and one set of options. It holds no state that a second grader, in this process or in
/// another one, could not share: what it prepares lies in the workbook's cache folder.
public struct SubmissionGrader: Sendable {
    public struct Options: Sendable {
        /// Whether code may be run outside a sandbox.
        public var sandbox: SandboxRequirement = .whenAvailable
        /// Where the suites draw their values from. The same seed gives the same values.
        public var seed: UInt64 = 0
        /// Whether a verdict that is already known may be given again.
        public var usesCache = true
        public var limits = Limits()
        /// How many submissions are graded at once; fewer where the memory is not enough for what so many may take.
        public var jobs = ProcessInfo.processInfo.activeProcessorCount
        /// Where what can be made again is kept; `.grader/cache` in the workbook by default.
        public var cacheFolder: URL?
        /// Told of every process that the grader starts, as it starts: for benchmarks and tests.
        public var trace: (@Sendable (TraceEvent) -> Void)?

        /// Lets a submission run that would be refused for what it says or needs: for tests of the walls behind.
        var trustsSource = false

        public init() {}
    }

    /// How much a grading insists on a sandbox.
    public enum SandboxRequirement: Sendable {
        /// Strangers' code: no sandbox, no grading.
        case required
        /// The learner's own code: sandboxed where that is possible, else a plain process with limits.
        case whenAvailable
        /// The instructor said `--no-sandbox`.
        case none
    }

    public let workbook: WorkbookFolder
    public let options: Options
    public let toolchain: Toolchain
    /// The sandbox that submissions run in; `nil` where they run in a plain process with limits.
    public let sandbox: Sandbox?
    private let cache: CacheFolder
    private let prepared: PreparedKatas

    /// Finds the compiler and the sandbox. Starts nothing but, once in a while, the sandbox for a try.
    public init(workbook: WorkbookFolder, options: Options = Options()) throws(GradingError) {
        self.workbook = workbook
        var options = options
        options.jobs = options.limits.jobs(wanted: options.jobs, within: AvailableMemory.megabytes())
        self.options = options
        toolchain = try Toolchain.locate()
        cache = CacheFolder(options.cacheFolder ?? workbook.graderFolder.appendingPathComponent("cache"))
        switch options.sandbox {
        case .none: sandbox = nil
        case .whenAvailable: sandbox = try? Sandbox.working(remembering: cache)
        case .required: sandbox = try Sandbox.working(remembering: cache)
        }
        prepared = PreparedKatas(toolchain: toolchain, workbook: workbook, cache: cache, trace: options.trace)
    }

    /// Grades one submission. Whatever the submission does is in the verdict; what throws is the grader's own trouble.
    ///
    /// A task that is cancelled ends what it has started, and throws.
    public func grade(_ submission: Submission) async throws(GradingError) -> Verdict {
        let start = ContinuousClock.now
        let source: SourceFile
        switch SourceFile.read(submission.file, limit: options.limits.sourceBytes) {
        case .failure(let rejection): return .rejected(submission, rejection, since: start)
        case .success(let file): source = file
        }
        if isShippedStub(source, of: submission.kata) { return .notStarted(submission, since: start) }

        let tools = try await prepared.tools()
        let suite = try await prepared.suite(submission.kata)
        let key = verdictKey(source, suite)
        if options.usesCache, let data = cache.read("verdict", key),
            var known = try? JSONDecoder().decode(Verdict.self, from: data)
        {
            known.seconds = start.duration(to: .now).seconds
            for index in known.diagnostics.indices where !known.diagnostics[index].file.isEmpty {
                known.diagnostics[index].file = submission.displayPath
            }
            return known
        }
        let folder = try cache.newFolder("grading")
        let cancellation = CancellationFlag()
        let grading = SubmissionRun(
            submission: submission, source: source, tools: tools, suite: suite, cache: cache,
            options: options, sandbox: sandbox, folder: folder, cancellation: cancellation)
        let result = await withTaskCancellationHandler {
            await asyncResult { () async throws(GradingError) in
                try await runBlocking { () throws(GradingError) in
                    defer { try? FileManager.default.removeItem(at: folder) }
                    return try grading.run()
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        // What was cut short says nothing about the submission.
        if cancellation.isCancelled { throw GradingError(.abandoned, submission.kata.kata) }
        let verdict = Verdict(submission, try result.get(), since: start)
        if verdict.isSettled, let data = try? JSONEncoder().encode(verdict) { cache.write(data, "verdict", key) }
        return verdict
    }

    /// Grades many submissions, `options.jobs` at a time, and tells each result as it is decided, one at a time.
    public func grade(
        _ submissions: [Submission],
        each: @escaping @Sendable (Submission, Result<Verdict, GradingError>) async -> Void
    ) async {
        await withTaskGroup(of: (Submission, Result<Verdict, GradingError>).self) { group in
            var waiting = submissions.makeIterator()
            func startNext() {
                guard let submission = waiting.next() else { return }
                group.addTask {
                    do throws(GradingError) {
                        return (submission, .success(try await grade(submission)))
                    } catch {
                        return (submission, .failure(error))
                    }
                }
            }
            for _ in 0..<max(1, options.jobs) { startNext() }
            for await (submission, result) in group {
                startNext()
                await each(submission, result)
            }
        }
        cache.tidy()
    }

    /// Compiles what the kata's grading will need besides the submission, where that isn't cached: worth doing while a
    /// learner still types.
    public func prepare(_ kata: Kata) async throws(GradingError) {
        _ = try await prepared.suite(kata)
    }

    /// Ends whatever any grader of this process has started, so that nothing outlives a program that is about to end. What was
    /// being graded or prepared fails soon after.
    public static func endAllProcesses() { ChildProcess.endAll() }

    /// The digest of everything that a verdict on this kata follows from, besides the submission.
    public func fingerprint(of kata: Kata) async throws(GradingError) -> String {
        verdictKey(SourceFile(bytes: []), try await prepared.suite(kata)).hex
    }

    private func isShippedStub(_ source: SourceFile, of kata: Kata) -> Bool {
        guard
            case .success(let stub) = SourceFile.read(
                workbook.shippedStub(kata.kata), limit: options.limits.sourceBytes)
        else { return false }
        return stub == source
    }

    /// Everything that a verdict follows from.
    private func verdictKey(_ source: SourceFile, _ suite: CompiledSuite) -> CacheKey {
        CacheKey([
            "source": String(decoding: source.bytes, as: UTF8.self), "suite": suite.key.hex,
            "seed": "\(options.seed)", "limits": "\(options.limits)", "sandbox": sandbox?.kind.rawValue ?? "none",
        ])
    }
}

/// What a grader has taken out of the cache, each thing once.
private actor PreparedKatas {
    private let toolchain: Toolchain
    private let workbook: WorkbookFolder
    private let cache: CacheFolder
    private let trace: @Sendable (TraceEvent) -> Void
    private var making: Task<Result<BuildTools, GradingError>, Never>?
    private var suites: [String: Task<Result<CompiledSuite, GradingError>, Never>] = [:]

    init(
        toolchain: Toolchain, workbook: WorkbookFolder, cache: CacheFolder, trace: (@Sendable (TraceEvent) -> Void)?
    ) {
        self.toolchain = toolchain
        self.workbook = workbook
        self.cache = cache
        self.trace = trace ?? { _ in }
    }

    func tools() async throws(GradingError) -> BuildTools {
        let task =
            making
            ?? Task { [toolchain, cache, trace] in
                await asyncResult { () async throws(GradingError) in
                    try await BuildTools.make(toolchain, cache: cache, trace: trace)
                }
            }
        making = task
        return try await task.value.get()
    }

    func suite(_ kata: Kata) async throws(GradingError) -> CompiledSuite {
        let tools = try await tools()
        let task =
            suites[kata.kata]
            ?? Task { [workbook, cache, trace] in
                do throws(GradingError) {
                    return .success(
                        try await CompiledSuite.make(
                            kata, workbook: workbook, tools: tools, cache: cache, trace: trace))
                } catch {
                    return .failure(error)
                }
            }
        suites[kata.kata] = task
        return try await task.value.get()
    }
}

/// Something that the grader started, for those who count.
public struct TraceEvent: Sendable, Equatable {
    public enum Step: String, Sendable {
        /// The compiler was asked for the frontend's arguments (once a compiler).
        case askCompiler
        /// The support libraries were linked for suites (once a build of them).
        case linkSupport
        /// The program that runs suites was compiled (once a compiler).
        case compileHarness
        /// The model answer was compiled for its interface (once a change of it).
        case compileAnswer
        /// A suite was compiled.
        case compileSuite
        /// A submission was compiled.
        case compileSubmission
        case link
        case run
    }
    public var step: Step
    public var kata: String?

    public init(_ step: Step, kata: String? = nil) {
        self.step = step
        self.kata = kata
    }

    /// Whether the step starts a compiler.
    public var isCompile: Bool {
        switch step {
        case .askCompiler, .compileHarness, .compileAnswer, .compileSuite, .compileSubmission: true
        case .linkSupport, .link, .run: false
        }
    }
}
